package io.cairn.core.peer;

import io.cairn.core.peer.PeerException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Peers of one JVM that talk without sockets: each serves on a thread of its own, gets bodies in
 * slices of seeded lengths, and can be killed. Thread-safe.
 */
public final class LoopbackPeers {
  private static final int MAX_SLICE_BYTES = 64 << 10;

  private final Map<PeerAddress, LoopbackPeer> peers = new ConcurrentHashMap<>();
  private final AtomicInteger ports = new AtomicInteger(1);
  private final Random lengths;

  /** Nobody serves yet. */
  public LoopbackPeers(long seed) {
    lengths = new Random(seed);
  }

  /**
   * Serves at a new address.
   *
   * @param patience for an answer, or for a push to be taken
   */
  public PeerTransport open(PeerService service, Duration patience) {
    return open("loopback", service, patience);
  }

  /** Likewise, at a host of this name. */
  public PeerTransport open(String host, PeerService service, Duration patience) {
    PeerAddress address = new PeerAddress(host, ports.getAndIncrement());
    LoopbackPeer peer = new LoopbackPeer(this, address, service, patience);
    peers.put(address, peer);
    return peer;
  }

  /** Ends a peer without a word: its service is called no more, its calls end as lost. */
  public void kill(PeerAddress address) {
    LoopbackPeer peer = peers.remove(address);
    if (peer != null) {
      peer.die();
    }
  }

  /** An address that nobody has. */
  public PeerAddress nobody() {
    return new PeerAddress("loopback", 65535);
  }

  void forget(PeerAddress address) {
    peers.remove(address);
  }

  LoopbackPeer find(PeerAddress address, String act) throws PeerException {
    LoopbackPeer peer = peers.get(address);
    if (peer == null) {
      throw new PeerException(address, Reason.UNREACHABLE, act, "nobody serves there");
    }
    return peer;
  }

  /** Hands a body over, slice by slice, for as long as both ends live. */
  void carry(LoopbackCall<?> call, ByteBuffer body, PeerSink sink) throws IOException {
    byte[] slice = new byte[MAX_SLICE_BYTES];
    int total = body.remaining();
    while (body.hasRemaining()) {
      int bytes = call.read(body, slice, 1 + nextLength());
      if (bytes == 0) {
        break;
      }
      sink.data(ByteBuffer.wrap(slice, 0, bytes).asReadOnlyBuffer());
    }
    if (call.stage().isDone()) {
      if (!call.receiverIsDead()) {
        sink.failed((total - body.remaining()) + " of " + total + " bytes came");
      }
    } else {
      sink.complete();
    }
  }

  private int nextLength() {
    synchronized (lengths) {
      return lengths.nextInt(MAX_SLICE_BYTES);
    }
  }
}

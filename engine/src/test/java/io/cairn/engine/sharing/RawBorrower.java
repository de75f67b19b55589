package io.cairn.engine.sharing;

import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.engine.sharing.peer.SampleLeases;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.zip.CRC32C;

/**
 * A holder on another machine that says what the test says, and greets for as long as it is not
 * paused. Thread-safe.
 */
final class RawBorrower implements PeerService {
  final PeerTransport transport;
  final HolderId self;
  private final PeerAddress lender;
  private final int chunkBytes;
  private volatile boolean paused;
  private volatile String greetsAs;

  RawBorrower(LoopbackPeers network, PeerAddress lender, int chunkBytes) {
    this.lender = lender;
    this.chunkBytes = chunkBytes;
    transport = network.open(this, Duration.ofSeconds(30));
    self = HolderId.of("raw", transport.address());
    greetsAs = self.toString();
  }

  /** Answers nothing any more, as a process that was stopped. */
  void pause() {
    paused = true;
  }

  void wake() {
    paused = false;
  }

  /** Its process is dead, and another serves at its address. */
  void becomeAnother() {
    greetsAs = HolderId.of("another", transport.address()).toString();
  }

  LeaseId lease(long nonce) {
    return SampleLeases.lease(self.toString(), nonce);
  }

  LeaseAnswer ask(LeaseRequest request) {
    byte[] bytes = ask(new PeerRequest.Lease(request)).toCompletableFuture().join();
    return Wire.decode(bytes, PeerReply.Leased.class).answer();
  }

  CompletionStage<byte[]> ask(PeerRequest request) {
    return transport.ask(lender, Wire.encode(request));
  }

  CompletionStage<Void> push(LeaseId id, int position, byte[] bytes) {
    return transport.push(
        lender, Wire.encode(new ChunkSpan(id, position, 0, bytes.length)), ByteBuffer.wrap(bytes));
  }

  static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] request) {
    if (paused) {
      return new CompletableFuture<>();
    }
    PeerReply reply =
        Wire.decode(request, PeerRequest.class) instanceof PeerRequest.Greet
            ? new PeerReply.Greeting(greetsAs, "elsewhere", chunkBytes, List.of())
            : new PeerReply.Done();
    return CompletableFuture.completedFuture(Wire.encode(reply));
  }
}

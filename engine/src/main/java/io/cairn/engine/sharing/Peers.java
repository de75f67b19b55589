package io.cairn.engine.sharing;

import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.peer.PeerTransport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process knows of other holders: each is greeted once, and the memory of those on this
 * machine is opened then and stays so. Thread-safe.
 */
final class Peers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Peers.class);

  private final PeerTransport transport;
  private final DeviceMemory memory;
  private final String machine;
  private final int chunkBytes;
  private final Map<String, CompletableFuture<Peer>> known = new ConcurrentHashMap<>();

  /**
   * One of them.
   *
   * @param slots its memory, if it is on this machine
   */
  record Peer(HolderId id, Optional<PeerSlots> slots) {
    /** Whether it is proven that it is dead; false where nothing can be proven. */
    boolean isGone() {
      try {
        return slots.isPresent() && slots.get().peerIsGone();
      } catch (IOException e) {
        LOG.warn("Whether {} lives cannot be found out: {}", id, e.getMessage());
        return false;
      }
    }
  }

  Peers(PeerTransport transport, DeviceMemory memory, String machine, int chunkBytes) {
    this.transport = transport;
    this.memory = memory;
    this.machine = machine;
    this.chunkBytes = chunkBytes;
  }

  /** Asks a holder; fails if its id is none. */
  CompletionStage<byte[]> ask(String holder, PeerCall call, byte[] rest) {
    try {
      return transport.ask(HolderId.parse(holder).address(), call.with(rest));
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Finds out about a holder, at once if it is known. What failed is tried again next time. */
  CompletionStage<Peer> find(String holder) {
    CompletableFuture<Peer> peer =
        known.computeIfAbsent(
            holder,
            h ->
                ask(h, PeerCall.GREET, new byte[0])
                    .thenApply(bytes -> open(HolderId.parse(h), bytes))
                    .toCompletableFuture());
    if (peer.isCompletedExceptionally()) {
      known.remove(holder, peer);
    }
    return peer;
  }

  /** The holder, if it was found before. */
  Optional<Peer> known(String holder) {
    return Optional.ofNullable(known.get(holder))
        .filter(peer -> peer.isDone() && !peer.isCompletedExceptionally())
        .map(CompletableFuture::join);
  }

  private Peer open(HolderId id, byte[] bytes) {
    try {
      Greeting greeting = Greeting.decode(bytes);
      if (greeting.chunkBytes() != chunkBytes) {
        throw new IllegalStateException(
            id + " has slots of " + greeting.chunkBytes() + " bytes, not " + chunkBytes);
      }
      return new Peer(
          id,
          greeting.machine().equals(machine)
              ? Optional.of(PeerSlots.open(memory, greeting.exports(), chunkBytes))
              : Optional.empty());
    } catch (IOException e) {
      throw new IllegalStateException(id + ": " + e.getMessage(), e);
    }
  }

  /** The holders that are proven dead. */
  List<String> gone() {
    return known.keySet().stream()
        .filter(holder -> known(holder).filter(Peer::isGone).isPresent())
        .toList();
  }

  /** Forgets a holder that is gone. */
  void forget(String holder) {
    known(holder).flatMap(Peer::slots).ifPresent(PeerSlots::close);
    known.remove(holder);
  }

  @Override
  public void close() {
    known.keySet().forEach(this::forget);
  }
}

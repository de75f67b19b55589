package io.cairn.engine.sharing.peer;

import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerTransport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other holders that this process knows. Each is greeted once; the memory of a holder on this
 * machine is opened then and stays open, and the operating system proves its death. A holder on
 * another machine is greeted periodically and declared dead after too long a silence. That is safe:
 * such a holder writes to this process's slots by pushes only, and the lender rejects every push of
 * a holder that was declared dead. Thread-safe.
 */
public final class Peers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Peers.class);

  private final PeerTransport transport;
  private final DeviceMemory memory;
  private final String machine;
  private final int chunkBytes;
  private final int mostUnanswered;
  private final Runnable onRemote;
  private final Map<String, CompletableFuture<Peer>> known = new ConcurrentHashMap<>();

  /**
   * One of them.
   *
   * @param slots its memory, if it is on this machine
   * @param unanswered greetings since the last that it answered
   */
  public record Peer(HolderId id, Optional<PeerSlots> slots, AtomicInteger unanswered) {
    public boolean isOnThisMachine() {
      return slots.isPresent();
    }

    private boolean isGone(int mostUnanswered) {
      try {
        return slots.isPresent() ? slots.get().peerIsGone() : unanswered.get() >= mostUnanswered;
      } catch (IOException e) {
        LOG.warn("Whether {} lives cannot be found out: {}", id, e.getMessage());
        return false;
      }
    }
  }

  /**
   * Knows nobody.
   *
   * @param mostUnanswered greetings, after which a peer on another machine is declared dead
   * @param onRemote called whenever one on another machine was found
   */
  public Peers(
      PeerTransport transport,
      DeviceMemory memory,
      String machine,
      int chunkBytes,
      int mostUnanswered,
      Runnable onRemote) {
    this.mostUnanswered = mostUnanswered;
    this.onRemote = onRemote;
    this.transport = transport;
    this.memory = memory;
    this.machine = machine;
    this.chunkBytes = chunkBytes;
  }

  /** Asks a holder; fails if its id is none. */
  public CompletionStage<byte[]> ask(String holder, PeerCall call, byte[] rest) {
    try {
      return transport.ask(HolderId.parse(holder).address(), call.with(rest));
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Finds out about a holder, at once if it is known. What failed is tried again next time. */
  public CompletionStage<Peer> find(String holder) {
    CompletableFuture<Peer> peer =
        known.computeIfAbsent(
            holder,
            h ->
                ask(h, PeerCall.GREET, new byte[0])
                    .thenApply(bytes -> open(HolderId.parse(h), bytes))
                    .toCompletableFuture());
    var unused =
        peer.whenComplete(
            (found, failure) -> {
              if (failure != null) {
                known.remove(holder, peer);
              }
            });
    return peer;
  }

  /** The holder, if it was found before. */
  public Optional<Peer> known(String holder) {
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
      if (!greeting.holder().equals(id.toString())) {
        throw new IllegalStateException(id + " is gone: " + greeting.holder() + " serves there");
      }
      if (greeting.machine().equals(machine)) {
        PeerSlots slots = PeerSlots.open(memory, greeting.exports(), chunkBytes);
        return new Peer(id, Optional.of(slots), new AtomicInteger());
      }
      onRemote.run();
      return new Peer(id, Optional.empty(), new AtomicInteger());
    } catch (IOException e) {
      throw new IllegalStateException(id + ": " + e.getMessage(), e);
    }
  }

  /** The holders that are proven, or declared, dead. */
  public List<Peer> gone() {
    return known.keySet().stream()
        .flatMap(holder -> known(holder).stream())
        .filter(peer -> peer.isGone(mostUnanswered))
        .toList();
  }

  /**
   * Greets those on other machines again. Called now and then: silence counts in calls, not in
   * time, so that nobody is condemned because this process stood still.
   */
  public void greetAgain() {
    known.keySet().stream()
        .flatMap(holder -> known(holder).stream())
        .filter(peer -> !peer.isOnThisMachine())
        .forEach(this::greetAgain);
  }

  private void greetAgain(Peer peer) {
    String holder = peer.id().toString();
    peer.unanswered().incrementAndGet();
    ask(holder, PeerCall.GREET, new byte[0])
        .whenComplete(
            (bytes, failure) -> {
              if (failure == null && isFrom(holder, bytes)) {
                peer.unanswered().set(0);
              }
            });
  }

  private static boolean isFrom(String holder, byte[] greeting) {
    try {
      return Greeting.decode(greeting).holder().equals(holder);
    } catch (IOException e) {
      LOG.warn("{} does not greet: {}", holder, e.getMessage());
      return false;
    }
  }

  /** Whether a call failed because a living peer refused it. */
  public static boolean saidNo(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof PeerException peer && peer.reason() == Reason.REFUSED;
  }

  /** Forgets a holder that is gone. */
  public void forget(String holder) {
    known(holder).flatMap(Peer::slots).ifPresent(PeerSlots::close);
    known.remove(holder);
  }

  @Override
  public void close() {
    known.keySet().forEach(this::forget);
  }
}

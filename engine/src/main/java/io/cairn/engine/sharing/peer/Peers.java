package io.cairn.engine.sharing.peer;

import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerReply.Greeting;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
  private final Consumer<Peer> onFound;
  private final Map<String, CompletableFuture<Peer>> known = new ConcurrentHashMap<>();

  /**
   * A known holder.
   *
   * @param slots of its cache, if it is on this machine
   * @param unanswered greetings since the last that it answered
   */
  public record Peer(HolderId id, Optional<PeerSlots> slots, AtomicInteger unanswered) {
    public boolean isOnThisMachine() {
      return slots.isPresent();
    }

    private boolean isGone(int mostUnanswered) {
      return isOnThisMachine() ? isProvenDead() : unanswered.get() >= mostUnanswered;
    }

    /** Whether the operating system proves its death; false for a holder on another machine. */
    public boolean isProvenDead() {
      try {
        return slots.isPresent() && slots.get().peerIsGone();
      } catch (IOException e) {
        LOG.warn("The state of {} is unknown; it counts as alive", id, e);
        return false;
      }
    }
  }

  /** Guarded by this. */
  private boolean closed;

  /**
   * Starts without any known holder.
   *
   * @param mostUnanswered greetings, after which a peer on another machine is declared dead
   * @param onFound receives every holder that answers a greeting: its first one, before {@link
   *     #find} completes, and, on another machine, each further one
   */
  public Peers(
      PeerTransport transport,
      DeviceMemory memory,
      String machine,
      int chunkBytes,
      int mostUnanswered,
      Consumer<Peer> onFound) {
    this.mostUnanswered = mostUnanswered;
    this.onFound = onFound;
    this.transport = transport;
    this.memory = memory;
    this.machine = machine;
    this.chunkBytes = chunkBytes;
  }

  /** Asks a holder; fails if the id is malformed or the reply is not of the expected class. */
  public <R extends PeerReply> CompletionStage<R> ask(
      String holder, PeerRequest request, Class<R> expected) {
    try {
      return transport
          .ask(HolderId.parse(holder).address(), Wire.encode(request))
          .thenApply(bytes -> Wire.decode(bytes, expected));
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Finds a holder, at once if it is known. The next call retries a failed greeting. */
  public CompletionStage<Peer> find(String holder) {
    CompletableFuture<Peer> peer =
        known.computeIfAbsent(
            holder,
            h ->
                ask(h, new PeerRequest.Greet(), Greeting.class)
                    .thenApply(greeting -> found(HolderId.parse(h), greeting))
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

  /**
   * Opens the memory that a known holder on this machine has taken since it was greeted, if one of
   * these slots is not open here.
   *
   * @return completes when the slots are open, or the holder is on another machine
   */
  public CompletionStage<Void> openMore(String holder, List<Integer> slots) {
    Optional<PeerSlots> open = known(holder).flatMap(Peer::slots);
    if (open.isEmpty() || slots.stream().allMatch(open.get()::knows)) {
      return CompletableFuture.completedFuture(null);
    }
    return ask(holder, new PeerRequest.Greet(), Greeting.class)
        .thenAccept(
            greeting -> {
              try {
                open.get().openMore(memory, SlotExport.of(greeting), chunkBytes);
              } catch (IOException e) {
                throw new IllegalStateException(holder + ": " + e.getMessage(), e);
              }
            });
  }

  /** The holder, if it was found before. */
  public Optional<Peer> known(String holder) {
    return Optional.ofNullable(known.get(holder))
        .filter(peer -> peer.isDone() && !peer.isCompletedExceptionally())
        .map(CompletableFuture::join);
  }

  private Peer found(HolderId id, Greeting greeting) {
    Peer peer = open(id, greeting);
    onFound.accept(peer);
    return peer;
  }

  /** An answer that comes after the end opens nothing: nobody would close it. */
  private synchronized Peer open(HolderId id, Greeting greeting) {
    if (closed) {
      throw new IllegalStateException(id + " was greeted before the end of this process's sharing");
    }
    try {
      if (greeting.chunkBytes() != chunkBytes) {
        throw new IllegalStateException(
            id + " has slots of " + greeting.chunkBytes() + " bytes, not " + chunkBytes);
      }
      if (!greeting.holder().equals(id.toString())) {
        throw new IllegalStateException(id + " is gone: " + greeting.holder() + " serves there");
      }
      if (greeting.machine().equals(machine)) {
        PeerSlots slots = PeerSlots.open(memory, SlotExport.of(greeting), chunkBytes);
        return new Peer(id, Optional.of(slots), new AtomicInteger());
      }
      return new Peer(id, Optional.empty(), new AtomicInteger());
    } catch (IOException e) {
      throw new IllegalStateException(id + ": " + e.getMessage(), e);
    }
  }

  /** The holders that are proven, or declared, dead. */
  public List<Peer> gone() {
    return inOrder().filter(peer -> peer.isGone(mostUnanswered)).toList();
  }

  /** Closes the memory that peers on this machine have given up. Called periodically. */
  public void closeGivenUp() {
    for (String holder : known.keySet()) {
      known(holder).flatMap(Peer::slots).ifPresent(PeerSlots::closeGivenUp);
    }
  }

  /** The known holders on other machines. */
  public List<Peer> remote() {
    return inOrder().filter(peer -> !peer.isOnThisMachine()).toList();
  }

  /** By their names, so that a simulation repeats itself. */
  private Stream<Peer> inOrder() {
    return known.keySet().stream().sorted().flatMap(holder -> known(holder).stream());
  }

  /**
   * Greets the holders on other machines again. Called periodically. Silence counts in calls, not
   * in time, so a suspension of this process declares no peer dead.
   */
  public void greetAgain() {
    remote().forEach(this::greetAgain);
  }

  private void greetAgain(Peer peer) {
    String holder = peer.id().toString();
    peer.unanswered().incrementAndGet();
    ask(holder, new PeerRequest.Greet(), Greeting.class)
        .whenComplete(
            (greeting, failure) -> {
              if (failure == null && greeting.holder().equals(holder)) {
                peer.unanswered().set(0);
                onFound.accept(peer); // it may have been declared dead, and not forgotten since
              }
            });
  }

  /** Whether a call failed because a living peer refused it. */
  public static boolean isRefusal(Throwable failure) {
    return hasFailed(failure, Reason.REFUSED);
  }

  /** Whether a call failed because no connection was made. */
  public static boolean isUnreachable(Throwable failure) {
    return hasFailed(failure, Reason.UNREACHABLE);
  }

  private static boolean hasFailed(Throwable failure, Reason reason) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof PeerException peer && peer.reason() == reason;
  }

  /** Forgets a holder that is gone. */
  public void forget(String holder) {
    known(holder).flatMap(Peer::slots).ifPresent(PeerSlots::close);
    known.remove(holder);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    known.keySet().forEach(this::forget);
  }
}

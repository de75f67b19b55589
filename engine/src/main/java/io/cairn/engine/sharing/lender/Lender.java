package io.cairn.engine.sharing.lender;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseAction;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseBook;
import io.cairn.core.sharing.LeaseEvent;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.LeaseTerms;
import io.cairn.core.sharing.LeasedChunk;
import io.cairn.core.sharing.Occupancy;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.sharing.peer.Peers;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lends slots of this process's cache, as its {@link LeaseBook} decides. One thread handles
 * requests and events in order of arrival; another verifies filled slots. Slots leave the cache
 * when a lease is requested, and return when their lease ends. All other slots belong to the
 * trainer. Thread-safe.
 */
public final class Lender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lender.class);

  private static final String THREAD = "cairn-lease";
  private static final String VERIFYING = "cairn-verify";

  /** Chunks that are verified before other borrowers have their turn. */
  private static final int MOST_AT_ONCE = 16;

  private final ChunkCache cache;
  private final LeaseBook book;
  private final LeaseTerms terms;
  private final Peers peers;
  private final LongSupplier nanoTime;
  private final LeasedBytes bytes;
  private final PushTargets targets;
  private final ScheduledExecutorService executor;
  private final ExecutorService reading;
  private final OpenRequests open = new OpenRequests();

  private final Pins pins;
  private @Nullable Future<?> wake;

  /**
   * A lender without leases.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @param start starts a thread of this name, which ends with this
   */
  public Lender(
      ChunkCache cache,
      LeaseTerms terms,
      Peers peers,
      LongSupplier nanoTime,
      Function<String, ScheduledExecutorService> start) {
    this.cache = cache;
    this.terms = terms;
    this.book = new LeaseBook(cache.slotNumbers(), terms);
    this.peers = peers;
    this.nanoTime = nanoTime;
    this.bytes = new LeasedBytes(cache.lentSlots(), cache.chunkBytes());
    this.targets = new PushTargets(cache.chunkBytes());
    this.executor = start.apply(THREAD);
    this.reading = start.apply(VERIFYING);
    this.pins = new Pins(executor, this::handle);
  }

  /**
   * Handles a request; completes with its answer. The lender greets a new borrower first, since it
   * could not notice the death of an unknown process.
   */
  public CompletionStage<LeaseAnswer> answer(LeaseRequest request) {
    CompletableFuture<LeaseAnswer> answer = new CompletableFuture<>();
    try {
      if (request instanceof LeaseRequest.Acquire && peers.known(request.id().holder()).isEmpty()) {
        peers
            .find(request.id().holder())
            .thenAcceptAsync(peer -> take(request, answer), executor)
            .whenComplete(
                (taken, failure) -> {
                  if (failure != null) {
                    answer.completeExceptionally(failure);
                  }
                });
      } else {
        executor.execute(() -> take(request, answer));
      }
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private void take(LeaseRequest request, CompletableFuture<LeaseAnswer> answer) {
    open.add(request, answer);
    try {
      take(request);
    } catch (RuntimeException e) {
      LOG.error("{} could not be handled", request, e);
      open.fail(request, e);
    }
  }

  private void take(LeaseRequest request) {
    if (request instanceof LeaseRequest.Acquire acquire) {
      carryOut(offer(acquire));
      return;
    } else if (request instanceof LeaseRequest.Filled filled) {
      targets.end(filled.id(), filled.chunks().stream().map(FilledChunk::position).toList());
    } else if (request instanceof LeaseRequest.Release) {
      targets.end(request.id());
    } else {
      throw new AssertionError("a lender does not take " + request);
    }
    carryOut(request);
  }

  /** The request, with slots of the cache if the book would grant it. */
  private LeaseEvent offer(LeaseRequest.Acquire request) {
    boolean lends = book.wouldGrant(request.id()) && book.occupancy().quarantined() < quota();
    int wanted = lends ? request.chunks() : 0;
    return new LeaseEvent.Offer(
        request, Arrays.stream(cache.lentSlots().lend(wanted)).boxed().toList());
  }

  /** The quota of the slots that the cache has now; it may have had fewer at first, or more. */
  private long quota() {
    return Math.max(1, (long) terms.quarantineQuota() * cache.slots() / cache.slotNumbers());
  }

  private void handle(LeaseEvent event) {
    try {
      carryOut(event);
    } catch (RuntimeException e) {
      LOG.error("The lease book could not handle {}", event, e);
    }
  }

  private void carryOut(LeaseEvent event) {
    book.on(event, nanoTime.getAsLong()).forEach(this::carryOut);
  }

  private void carryOut(LeaseAction action) {
    if (action instanceof LeaseAction.Send send) {
      if (send.answer() instanceof LeaseAnswer.Granted granted) { // it may be out of reach
        targets.begin(
            granted.id(), granted.slots().stream().map(cache.lentSlots()::place).toList());
      }
      send(send);
    } else if (action instanceof LeaseAction.Verify verify) {
      verify(verify, 0, new TreeSet<>());
    } else if (action instanceof LeaseAction.MoveOrDrop move) {
      vacate(move);
    } else if (action instanceof LeaseAction.Read read) {
      pins.pinned(read.chunks());
    } else if (action instanceof LeaseAction.Return home) {
      cache.lentSlots().takeBack(home.slots().stream().mapToInt(slot -> slot).toArray());
    } else if (action instanceof LeaseAction.Over over) {
      targets.end(over.id());
      open.over(over.id());
    } else if (action instanceof LeaseAction.Withdraw withdraw) {
      LOG.warn(
          "{} of rank {} is not at DEVICE any more: {}",
          withdraw.checkpoint(),
          withdraw.rank(),
          withdraw.reason());
    } else if (action instanceof LeaseAction.WakeAt when) {
      wakeAt(when.nanos());
    } else {
      throw new AssertionError("a lender does not carry out " + action);
    }
  }

  private void wakeAt(long nanos) {
    if (wake != null) {
      wake.cancel(false);
    }
    long delay = Math.max(0, nanos - nanoTime.getAsLong());
    Runnable clock = DaemonThreads.watched(THREAD, () -> handle(new LeaseEvent.Clock()));
    wake = executor.schedule(clock, delay, TimeUnit.NANOSECONDS);
  }

  private void send(LeaseAction.Send send) {
    if (!open.answer(send.answer())) {
      peers
          .ask(send.holder(), new PeerRequest.Notice(send.answer()), PeerReply.Done.class)
          .whenComplete(
              (answer, failure) -> {
                if (failure != null) {
                  LOG.warn("{} did not receive {}", send.holder(), send.answer(), failure);
                }
              });
    }
  }

  /** Verifies the next chunks, then queues the rest, so that no borrower waits for a long lease. */
  private void verify(LeaseAction.Verify verify, int from, Set<Integer> whole) {
    List<LeasedChunk> chunks = verify.chunks();
    if (from >= chunks.size()) {
      verified(verify, whole);
      return;
    }
    int end = Math.min(from + MOST_AT_ONCE, chunks.size());
    try {
      reading.execute(
          DaemonThreads.watched(
              VERIFYING,
              () -> {
                addWhole(chunks.subList(from, end), whole);
                verify(verify, end, whole);
              }));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is not verified: the lender is closed", verify.id());
    }
  }

  /** Chunks whose verification fails count as damaged; their lease must not wait for ever. */
  private void addWhole(List<LeasedChunk> chunks, Set<Integer> whole) {
    try {
      whole.addAll(bytes.whole(chunks));
    } catch (RuntimeException | Error e) {
      LOG.error("Chunks {} could not be verified, so they are not held", chunks, e);
    }
  }

  private void verified(LeaseAction.Verify verify, Set<Integer> whole) {
    List<Integer> damaged =
        verify.chunks().stream()
            .map(held -> held.chunk().position())
            .filter(position -> !whole.contains(position))
            .toList();
    later(new LeaseEvent.Verified(verify.id(), List.copyOf(whole), damaged));
  }

  private void later(LeaseEvent event) {
    try {
      executor.execute(() -> handle(event));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} came after the lender was closed", event);
    }
  }

  /** The borrower moves its chunks and releases them; the book drops the others at the deadline. */
  private void vacate(LeaseAction.MoveOrDrop move) {
    List<Integer> positions = move.chunks().stream().map(held -> held.chunk().position()).toList();
    peers
        .ask(move.id().holder(), new PeerRequest.Vacate(move.id()), PeerReply.Vacated.class)
        .whenComplete(
            (answer, failure) -> {
              boolean moved = failure == null && answer.moved();
              later(new LeaseEvent.Moved(move.id(), moved ? List.of() : positions));
            });
  }

  /** Takes slots back for the trainer; held chunks have until the deadline to be moved. */
  public void takeBack(int slots, long patienceNanos) {
    later(new LeaseEvent.TakeBack(slots, nanoTime.getAsLong() + patienceNanos));
  }

  /** The use of the lent slots; fails after {@link #close}. */
  public CompletionStage<Occupancy> occupancy() {
    try {
      return CompletableFuture.supplyAsync(book::occupancy, executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  /** Reads the held chunks of a lease; see {@link Pins#reading}. */
  <T> CompletionStage<T> reading(LeaseId id, Executor reader, Pins.Reading<T> work) {
    return pins.reading(id, reader, work);
  }

  /** Receives a push; see {@link PushTargets#receive}. */
  public PeerSink receive(byte[] header, long length) throws IOException {
    return targets.receive(header, length);
  }

  /** Reads bytes of a held chunk; fails if the chunk is not held. */
  public CompletionStage<PeerReply.Piece> read(ChunkSpan span) {
    return reading(
        span.lease(),
        reading,
        chunks -> {
          for (LeasedChunk chunk : chunks) {
            if (chunk.chunk().position() == span.position()) {
              return LeasedBytes.piece(cache.lentSlots(), chunk, span);
            }
          }
          throw new IOException(span + " are not held");
        });
  }

  /**
   * Records that these chunks have a copy at NODE, as their borrower reports.
   *
   * @throws IllegalArgumentException naming the first position that no lease can have
   */
  public void flushed(LeaseId id, List<Integer> positions) {
    for (int position : positions) {
      if (position >= cache.slotNumbers()) {
        throw new IllegalArgumentException(
            "position "
                + position
                + " of "
                + id
                + ": this cache has "
                + cache.slotNumbers()
                + " slots");
      }
    }
    later(new LeaseEvent.Flushed(id, positions));
  }

  /** Grants leases to this holder from now on, even if it was declared dead before. */
  public void greeted(String holder) {
    later(new LeaseEvent.BorrowerGreeted(holder));
  }

  /**
   * Ends all leases of a borrower that is proven or declared dead and can write nothing more. Its
   * chunks are useless, since the rest of its checkpoints died with it.
   */
  public void borrowerGone(String holder) {
    executor.execute(
        () -> {
          targets.endAll(holder);
          handle(new LeaseEvent.BorrowerDead(holder));
        });
  }

  @Override
  public void close() {
    executor.shutdownNow();
    reading.shutdownNow();
  }
}

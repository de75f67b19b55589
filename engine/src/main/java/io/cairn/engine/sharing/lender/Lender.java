package io.cairn.engine.sharing.lender;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.HeldChunk;
import io.cairn.core.sharing.Holding;
import io.cairn.core.sharing.LeaseAction;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseBook;
import io.cairn.core.sharing.LeaseEvent;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.LeaseTerms;
import io.cairn.core.sharing.Occupancy;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.sharing.peer.DaemonThreads;
import io.cairn.engine.sharing.peer.Peers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lends slots of this process's cache, as its {@link LeaseBook} decides: one thread takes what
 * comes, in order of arrival; another reads what was filled. Slots leave the cache when they are
 * claimed, and come home as soon as nobody can write to them any more; what is not lent is always
 * the trainer's. Thread-safe.
 */
public final class Lender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lender.class);

  private final ChunkCache cache;
  private final LeaseBook book;
  private final Peers peers;
  private final HeldBytes bytes;
  private final Landings landings;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("cairn-lease"));
  private final ExecutorService reading =
      Executors.newSingleThreadExecutor(DaemonThreads.named("cairn-verify"));
  private final Unanswered open = new Unanswered();

  private final Pins pins = new Pins(executor, this::on);
  private @Nullable Future<?> wake;

  public Lender(ChunkCache cache, LeaseTerms terms, Peers peers) {
    this.cache = cache;
    this.book = new LeaseBook(cache.slots(), terms);
    this.peers = peers;
    this.bytes = new HeldBytes(cache.lending(), cache.chunkBytes());
    this.landings = new Landings(cache.chunkBytes());
  }

  /**
   * Takes a request; completes with the answer, when there is one. Who claims is greeted first:
   * nothing is granted to a process whose death could not be known.
   */
  public CompletionStage<LeaseAnswer> answer(LeaseRequest request) {
    CompletableFuture<LeaseAnswer> answer = new CompletableFuture<>();
    try {
      if (request instanceof LeaseRequest.Claim && peers.known(request.id().holder()).isEmpty()) {
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
    if (request instanceof LeaseRequest.Claim claim) {
      makeRoom(claim);
    } else if (request instanceof LeaseRequest.Filled filled) {
      landings.end(filled.id(), filled.chunks().stream().map(FilledChunk::position).toList());
    } else if (request instanceof LeaseRequest.ReleaseSome some) {
      landings.end(some.id(), some.positions());
    } else {
      landings.end(request.id());
    }
    carryOut(request);
    giveHomeUnused();
  }

  /** Lends what is claimed, if it will be granted. */
  private void makeRoom(LeaseRequest.Claim claim) {
    if (!book.wouldGrant(claim.id())) {
      return;
    }
    int missing = claim.chunks() - book.occupancy().open();
    int[] lent = missing > 0 ? cache.lending().lend(missing) : new int[0];
    if (lent.length > 0) {
      handle(new LeaseEvent.Lend(Arrays.stream(lent).boxed().toList()));
    }
  }

  /** Handles an event, and lets go of what nobody uses any more. */
  private void on(LeaseEvent event) {
    handle(event);
    giveHomeUnused();
  }

  private void giveHomeUnused() {
    int unused = book.occupancy().open();
    if (unused > 0) {
      handle(new LeaseEvent.TakeBack(unused, System.nanoTime()));
    }
  }

  private void handle(LeaseEvent event) {
    try {
      carryOut(event);
    } catch (RuntimeException e) {
      LOG.error("The lease book could not handle {}", event, e);
    }
  }

  private void carryOut(LeaseEvent event) {
    book.on(event, System.nanoTime()).forEach(this::carryOut);
  }

  private void carryOut(LeaseAction action) {
    if (action instanceof LeaseAction.Tell tell) {
      if (tell.answer() instanceof LeaseAnswer.Granted granted) {
        granted(granted);
      }
      tell(tell);
    } else if (action instanceof LeaseAction.Verify verify) {
      reading.execute(() -> verify(verify));
    } else if (action instanceof LeaseAction.MoveOrDrop move) {
      vacate(move);
    } else if (action instanceof LeaseAction.Read read) {
      pins.pinned(read.chunks());
    } else if (action instanceof LeaseAction.Return home) {
      cache.lending().takeBack(home.slots().stream().mapToInt(slot -> slot).toArray());
    } else if (action instanceof LeaseAction.Over over) {
      landings.end(over.id());
      open.over(over.id());
    } else if (action instanceof LeaseAction.Withdraw withdraw) {
      LOG.warn(
          "{} of rank {} is not at DEVICE any more: {}",
          withdraw.checkpoint(),
          withdraw.rank(),
          withdraw.reason());
    } else if (action instanceof LeaseAction.WakeAt when) {
      wakeAt(when.nanos());
    }
  }

  /** Senders on this machine write straight into the slots, all others by pushes. */
  private void granted(LeaseAnswer.Granted granted) {
    if (peers.known(granted.id().holder()).filter(peer -> !peer.isOnThisMachine()).isPresent()) {
      landings.begin(granted.id(), granted.slots().stream().map(cache.lending()::place).toList());
    }
  }

  private void wakeAt(long nanos) {
    if (wake != null) {
      wake.cancel(false);
    }
    long delay = Math.max(0, nanos - System.nanoTime());
    wake = executor.schedule(() -> on(new LeaseEvent.Clock()), delay, TimeUnit.NANOSECONDS);
  }

  private void tell(LeaseAction.Tell tell) {
    if (!open.answer(tell.answer())) {
      peers
          .ask(tell.holder(), new PeerRequest.Notice(tell.answer()), PeerReply.Done.class)
          .whenComplete(
              (answer, failure) -> {
                if (failure != null) {
                  LOG.warn(
                      "{} did not hear {}: {}", tell.holder(), tell.answer(), failure.toString());
                }
              });
    }
  }

  private void verify(LeaseAction.Verify verify) {
    List<Integer> whole = bytes.whole(verify.chunks());
    List<Integer> damaged = new ArrayList<>();
    for (HeldChunk held : verify.chunks()) {
      if (!whole.contains(held.chunk().position())) {
        damaged.add(held.chunk().position());
      }
    }
    later(new LeaseEvent.Verified(verify.id(), whole, damaged));
  }

  private void later(LeaseEvent event) {
    try {
      executor.execute(() -> on(event));
    } catch (RejectedExecutionException e) {
      LOG.debug("{} came after the end", event);
    }
  }

  /** The sender moves its chunks and releases them; what it does not is dropped at the deadline. */
  private void vacate(LeaseAction.MoveOrDrop move) {
    List<Integer> positions = move.chunks().stream().map(held -> held.chunk().position()).toList();
    peers
        .ask(move.id().holder(), new PeerRequest.Vacate(move.id()), PeerReply.Vacated.class)
        .whenComplete(
            (answer, failure) -> {
              boolean moved = failure == null && answer.moved();
              later(new LeaseEvent.Moved(move.id(), List.of(), moved ? List.of() : positions));
            });
  }

  /** The trainer needs room: takes slots back, those that are lent by the deadline. */
  public void takeBack(int slots, long patienceNanos) {
    later(new LeaseEvent.TakeBack(slots, System.nanoTime() + patienceNanos));
  }

  /** What the lent slots are used for. */
  public CompletionStage<Occupancy> occupancy() {
    return CompletableFuture.supplyAsync(book::occupancy, executor);
  }

  /** Reads what is held under a lease; see {@link Pins#reading}. */
  <T> CompletionStage<T> reading(LeaseId id, Executor reader, Pins.Reading<T> work) {
    return pins.reading(id, reader, work);
  }

  /** Takes a chunk that is pushed; see {@link Landings#receive}. */
  public PeerSink receive(byte[] header, long length) throws IOException {
    return landings.receive(header, length);
  }

  /** Bytes of a chunk that is held; fails if it is not. */
  public CompletionStage<PeerReply.Piece> read(ChunkSpan span) {
    return reading(
        span.lease(),
        reading,
        chunks -> {
          for (HeldChunk chunk : chunks) {
            if (chunk.chunk().position() == span.position()) {
              return HeldBytes.piece(cache.lending(), chunk, span);
            }
          }
          throw new IOException(span + " are not held");
        });
  }

  /**
   * These have a copy at NODE, as their sender says.
   *
   * @throws IllegalArgumentException naming the first that no lease has
   */
  public void flushed(LeaseId id, List<Integer> positions) {
    for (int position : positions) {
      if (position >= cache.slots()) {
        throw new IllegalArgumentException(
            "position " + position + " of " + id + ": this cache has " + cache.slots() + " slots");
      }
    }
    later(new LeaseEvent.Flushed(id, positions));
  }

  /**
   * A sender is proven dead, or declared so: it writes nothing more. What it left is of use to
   * nobody, since the rest of its checkpoints died with it.
   */
  public void senderGone(String holder) {
    executor.execute(
        () -> {
          landings.endAll(holder);
          on(new LeaseEvent.SenderDead(holder));
          for (Holding holding : book.holdings()) {
            if (holding.orphaned()) {
              on(new LeaseEvent.Drop(holding.id()));
            }
          }
        });
  }

  @Override
  public void close() {
    executor.shutdownNow();
    reading.shutdownNow();
  }
}

package io.cairn.adjoint.history;

import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.sharing.LeaseAction;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseBook;
import io.cairn.core.sharing.LeaseEvent;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.LeaseTerms;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.PeerReply.Export;
import io.cairn.core.wire.PeerReply.Greeting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that a history lends, as its {@link LeaseBook} decides. The history takes it back by
 * asking its borrowers, since their states may have no other copy. Until they release a lease, or
 * end, its chunks wait in quarantine, and nothing is lent. Thread-safe.
 */
final class LentChunks {
  private static final Logger LOG = LoggerFactory.getLogger(LentChunks.class);

  /** While one chunk is in quarantine, the history needs its memory itself. */
  private static final LeaseTerms TERMS = new LeaseTerms(LeaseTerms.NO_EXPIRY, 1);

  private static final class Lease {
    /** Asks the borrower; ends in {@link #keep} or {@link #release}. */
    final Consumer<LeaseId> vacate;

    /** To the newest question: whether the chunks came back. */
    CompletableFuture<Boolean> answer = CompletableFuture.completedFuture(false);

    Lease(Consumer<LeaseId> vacate) {
      this.vacate = vacate;
    }
  }

  /** Another one for each history. */
  private final String name = UUID.randomUUID().toString();

  private final DeviceMemory device;
  private final int chunkBytes;
  private final List<DeviceAddress> slabs;
  private final Lending lending;
  private final LeaseBook book;
  private final Map<LeaseId, Lease> leases = new LinkedHashMap<>();
  private boolean closed;
  private @Nullable Runnable release;

  /**
   * Lends nothing.
   *
   * @param slabs the memory of the history's states
   */
  LentChunks(DeviceMemory device, int chunkBytes, List<DeviceAddress> slabs, Lending lending) {
    this.device = device;
    this.chunkBytes = chunkBytes;
    this.slabs = List.copyOf(slabs);
    this.lending = lending;
    book = new LeaseBook(slabs.stream().mapToInt(this::chunks).sum(), TERMS);
  }

  private int chunks(DeviceAddress slab) {
    return (int) (slab.bytes() / chunkBytes);
  }

  /** Length of a chunk. */
  int chunkBytes() {
    return chunkBytes;
  }

  /** Chunks that the states to come leave free; below zero, those that they miss. */
  long spareChunks() {
    return lending.spareChunks();
  }

  /** The memory that is lent now. */
  synchronized long bytes() {
    return (long) book.occupancy().lent() * chunkBytes;
  }

  /** All memory of which chunks may be lent. */
  Greeting greeting() {
    List<Export> exports = new ArrayList<>();
    int first = 0;
    for (DeviceAddress slab : slabs) {
      exports.add(new SlotExport(first, chunks(slab), device.export(slab)).toMessage());
      first += chunks(slab);
    }
    return new Greeting(name, "", chunkBytes, exports);
  }

  /**
   * Lends as many chunks as the history has free, up to the number asked for.
   *
   * @param vacate asks the borrower for the chunks; ends in {@link #keep} or {@link #release}
   * @throws IllegalArgumentException if the lease was granted before
   */
  synchronized LeaseAnswer acquire(LeaseRequest.Acquire request, Consumer<LeaseId> vacate) {
    if (leases.containsKey(request.id())) {
      throw new IllegalArgumentException(request.id() + " is lent already");
    }
    boolean lends = !closed && !device.isDead() && book.wouldGrant(request.id());
    int[] chunks = lending.lend(lends ? request.chunks() : 0);
    if (device.isDead()) { // since then, so that the chunk of a failed copy may be among them
      lending.takeBack(chunks);
      chunks = new int[0];
    }
    LeaseAnswer answer =
        carryOut(new LeaseEvent.Offer(request, Arrays.stream(chunks).sorted().boxed().toList()));
    if (answer == null) {
      throw new AssertionError("a lease book answers each request");
    }
    if (answer instanceof LeaseAnswer.Granted) {
      leases.put(request.id(), new Lease(vacate));
    }
    return answer;
  }

  /**
   * Returns what the book answers, if it does. A revocation is not sent: all borrowers are asked.
   */
  private @Nullable LeaseAnswer carryOut(LeaseEvent event) {
    LeaseAnswer answer = null;
    for (LeaseAction action : book.on(event, System.nanoTime())) {
      if (action instanceof LeaseAction.Send send) {
        answer = send.answer();
      } else if (action instanceof LeaseAction.Return home) {
        lending.takeBack(home.slots().stream().mapToInt(slot -> slot).toArray());
      }
    }
    return answer;
  }

  /** The borrower has no other room for its states. */
  synchronized void keep(LeaseId id) {
    Lease lease = leases.get(id);
    if (lease != null) {
      lease.answer.complete(false);
    }
  }

  /**
   * The borrower writes to none of the chunks any more, since it says so, or has ended. A request
   * for this lease that comes later is refused.
   *
   * @return frees the memory of a closed history, if nobody else borrows it; may wait for the
   *     device
   */
  synchronized Optional<Runnable> release(LeaseId id) {
    var unused = carryOut(new LeaseRequest.Release(id));
    Lease lease = leases.remove(id);
    if (lease != null) {
      lease.answer.complete(true);
    }
    Runnable last = release;
    if (last == null || !leases.isEmpty()) {
      return Optional.empty();
    }
    release = null;
    return Optional.of(() -> free(last));
  }

  private static void free(Runnable memory) {
    try {
      memory.run();
    } catch (IllegalStateException e) {
      LOG.debug("the device was closed while others had its memory", e);
    }
  }

  /**
   * Takes back what it lent, as far as borrowers have room elsewhere.
   *
   * @param patience the longest wait for them
   * @return whether something came back
   */
  boolean recall(Duration patience) {
    List<CompletableFuture<Boolean>> answers = ask(patience);
    try {
      CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
          .get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.warn("borrowers do not answer within {}: they keep what they have", patience, e);
    } catch (ExecutionException e) {
      throw new AssertionError("no answer fails", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answers.stream().anyMatch(answer -> answer.getNow(false));
  }

  private List<CompletableFuture<Boolean>> ask(Duration patience) {
    Map<LeaseId, Lease> asked = new LinkedHashMap<>();
    List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    synchronized (this) {
      if (!leases.isEmpty()) {
        long deadline = System.nanoTime() + patience.toNanos();
        var unused = carryOut(new LeaseEvent.TakeBack(book.occupancy().lent(), deadline));
      }
      leases.forEach(
          (id, lease) -> {
            if (lease.answer.isDone()) {
              lease.answer = new CompletableFuture<>();
              asked.put(id, lease);
            }
            answers.add(lease.answer);
          });
    }
    ask(asked);
    return answers;
  }

  /** A failure ends the question for all: each can be asked again. */
  private void ask(Map<LeaseId, Lease> asked) {
    Set<LeaseId> unasked = new LinkedHashSet<>(asked.keySet());
    try {
      asked.forEach(
          (id, lease) -> {
            lease.vacate.accept(id);
            unasked.remove(id);
          });
    } finally {
      unasked.forEach(this::keep);
    }
  }

  /** The history is closed: lends nothing more. Runs something as soon as nobody borrows. */
  void leave(Runnable then) {
    synchronized (this) {
      closed = true;
      if (!leases.isEmpty()) {
        release = then;
        return;
      }
    }
    then.run();
  }

  /** A way to it within this process. */
  LeaseLink link() {
    return new LeaseLink() {
      private @Nullable LeaseId lease;
      private volatile BooleanSupplier vacate = () -> false;

      @Override
      public Greeting greet() {
        return greeting();
      }

      @Override
      public LeaseAnswer acquire(LeaseRequest.Acquire request) {
        lease = request.id();
        return LentChunks.this.acquire(request, this::vacate);
      }

      /**
       * On a thread of its own: the lender's patience may end before the borrower's files answer.
       */
      private void vacate(LeaseId id) {
        DaemonThreads.unstarted("cairn-history-vacate", () -> answer(id)).start();
      }

      private void answer(LeaseId id) {
        boolean left = false;
        try {
          left = vacate.getAsBoolean();
        } finally {
          if (!left) {
            keep(id);
          }
        }
      }

      @Override
      public void listen(BooleanSupplier whenAsked, Runnable gone) {
        vacate = whenAsked;
      }

      @Override
      public void close() {
        if (lease != null) {
          release(lease).ifPresent(Runnable::run);
        }
      }
    };
  }
}

package io.cairn.engine.sharing.borrower;

import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.LeasedPlaces;
import io.cairn.cache.chunk.PeerSlots;
import io.cairn.cache.chunk.Replacement;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.Patience;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.events.Repeats;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.engine.sharing.peer.Peers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds places for the chunks of a checkpoint that do not fit into the own cache: acquires the
 * leases that the desk planned, and puts the rest into host memory. Every lease ends in a release,
 * which is repeated until the lender answers or is gone; only a copy that hangs keeps its lease.
 * Thread-safe.
 */
public final class Borrower {
  private static final Logger LOG = LoggerFactory.getLogger(Borrower.class);

  /** The longest that a reader waits for a lender's verification; longer than any transport. */
  private static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final HolderId self;
  private final Peers peers;
  private final PushQueue pushes;
  private final int chunkBytes;
  private final Patience patience;
  private final LongSupplier nanoTime;
  private final Waits waits;
  private final Repeats repeats;
  private final AtomicLong nonces = new AtomicLong();
  private final Map<LeaseId, ActiveLease> active = new ConcurrentHashMap<>();

  private final Releases releases;

  /**
   * A borrower without leases.
   *
   * @param patienceNanos the time that a checkpoint waits for its lenders at least; see {@link
   *     Patience}
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @param waits for lenders, by this clock
   */
  public Borrower(
      HolderId self,
      Peers peers,
      PushQueue pushes,
      int chunkBytes,
      long patienceNanos,
      LongSupplier nanoTime,
      Waits waits) {
    this.self = self;
    this.peers = peers;
    this.pushes = pushes;
    this.releases = new Releases(peers);
    this.chunkBytes = chunkBytes;
    this.patience = new Patience(patienceNanos);
    this.nanoTime = nanoTime;
    this.waits = waits;
    this.repeats = new Repeats(nanoTime);
  }

  /**
   * A lease that is requested.
   *
   * @param decided whether its lender is asked, or never will be
   */
  private record Acquiring(
      LeaseId id,
      PlanAnswer.PlannedLease planned,
      AtomicBoolean decided,
      CompletableFuture<PeerReply.Leased> answer) {}

  /**
   * Finds places for the chunks that have none and starts to copy them. If the host has less room
   * than the desk planned, lenders are asked for more. Waits for all lenders together for at most
   * the patience, which follows their usual delay.
   *
   * @param plan the desk's plan; covers fewer chunks than are missing if the desk did not answer
   * @return the leases; chunks are left without a place if there is no room
   * @throws IllegalStateException if a lender lost its chunks meanwhile: the checkpoint is gone
   */
  public Leases place(
      Member member,
      PlanAnswer.Part plan,
      CachedCheckpoint target,
      Capture capture,
      Consumer<String> withdrawn) {
    long end = nanoTime.getAsLong() + patience.nanos();
    Deque<Acquiring> requests = new ArrayDeque<>();
    for (PlanAnswer.PlannedLease planned : plan.leases()) {
      requests.add(acquire(member, target.id(), planned));
    }
    try {
      // the host's part is copied while lenders answer
      target.addHost(Math.min(plan.hostChunks(), target.chunks() - target.placed()));
      capture.resume();
      List<ActiveLease> taken = new ArrayList<>();
      while (!requests.isEmpty()) {
        if (take(requests.remove(), new Vacancy.Unplaced(target), end, taken, withdrawn)) {
          capture.resume();
        }
      }
      target.addHost(target.chunks() - target.placed());
      for (PlanAnswer.PlannedLease planned : plan.leases()) {
        askForMore(member, planned.lender(), target, capture, end, taken, withdrawn);
      }
      capture.resume();
      return Leases.of(taken, peers, waits);
    } finally {
      // empty unless something was thrown
      requests.forEach(this::giveUp);
    }
  }

  /** The host, or another lender, had less room than was planned. */
  private void askForMore(
      Member member,
      String lender,
      CachedCheckpoint target,
      Capture capture,
      long end,
      List<ActiveLease> taken,
      Consumer<String> withdrawn) {
    int missing = target.chunks() - target.placed();
    if (missing > 0 && taken.stream().anyMatch(one -> one.lender().equals(lender))) {
      PlanAnswer.PlannedLease more = new PlanAnswer.PlannedLease(lender, missing);
      take(acquire(member, target.id(), more), new Vacancy.Unplaced(target), end, taken, withdrawn);
      capture.resume();
    }
  }

  /**
   * Finds other places for the chunks of a lease whose copies failed, and starts to copy them
   * again. Waits for lenders as {@link #place} does. The source must not have changed since the
   * capture began.
   *
   * @param plan of the desk, for these chunks
   * @param lost all copies to its slots {@linkplain Capture#hasEnded have ended}
   * @return the leases that replace it; empty if there is no room, and then nothing has changed
   */
  public Optional<Leases> replace(
      Member member,
      PlanAnswer.Part plan,
      LeasedChunks lost,
      Capture capture,
      Consumer<String> withdrawn) {
    long end = nanoTime.getAsLong() + patience.nanos();
    CachedCheckpoint target = lost.lease().checkpoint();
    Replacement by = new Replacement(target, lost.lease().places());
    int first = by.next();
    int last = first + by.missing();
    List<Acquiring> requests =
        plan.leases().stream()
            .filter(planned -> !planned.lender().equals(lost.lease().lender()))
            .map(planned -> acquire(member, target.id(), planned))
            .toList();
    List<ActiveLease> taken = new ArrayList<>();
    requests.forEach(request -> take(request, new Vacancy.Lost(target, by), end, taken, withdrawn));
    if (!by.finish()) {
      return Optional.empty();
    }
    capture.again(first, last);
    return Optional.of(Leases.of(taken, peers, waits));
  }

  private Acquiring acquire(
      Member member, CheckpointId checkpoint, PlanAnswer.PlannedLease planned) {
    LeaseId id = new LeaseId(self.toString(), nonces.incrementAndGet(), checkpoint, member.rank());
    PeerRequest question = new PeerRequest.Lease(new LeaseRequest.Acquire(id, planned.chunks()));
    long asked = nanoTime.getAsLong();
    AtomicBoolean decided = new AtomicBoolean();
    return new Acquiring(
        id,
        planned,
        decided,
        peers
            .find(planned.lender())
            .thenCompose(
                peer ->
                    decided.compareAndSet(false, true)
                        ? peers.ask(planned.lender(), question, PeerReply.Leased.class)
                        : CompletableFuture.failedFuture(
                            new IllegalStateException("it was found too late")))
            .thenCompose(reply -> opened(planned.lender(), reply))
            .thenApply(
                reply -> {
                  patience.took(nanoTime.getAsLong() - asked);
                  return reply;
                })
            .toCompletableFuture());
  }

  /** A lender's cache may have grown since it was greeted. */
  private CompletionStage<PeerReply.Leased> opened(String lender, PeerReply.Leased reply) {
    return reply.answer() instanceof LeaseAnswer.Granted granted
        ? peers.openMore(lender, granted.slots()).thenApply(open -> reply)
        : CompletableFuture.completedFuture(reply);
  }

  private boolean take(
      Acquiring request,
      Vacancy vacancy,
      long end,
      List<ActiveLease> taken,
      Consumer<String> withdrawn) {
    try {
      long left = Math.max(0, end - nanoTime.getAsLong());
      if (!waits.await(request.answer(), left)) {
        throw new IllegalStateException("no answer within the patience");
      }
      LeaseAnswer answer = request.answer().get().answer();
      if (answer instanceof LeaseAnswer.Granted granted) {
        return begin(request, granted, vacancy, taken, withdrawn);
      }
      LOG.debug("{}: {}", request.id(), answer);
    } catch (ExecutionException | RuntimeException e) {
      // also if another lender lost its chunks, so that the checkpoint takes no further places
      repeats
          .pass(request.planned().lender())
          .ifPresent(more -> LOG.warn("{} was not granted{}", request.id(), more, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    giveUp(request);
    return false;
  }

  /** A lender that was not asked never will be: it may have been dead before it was planned. */
  private void giveUp(Acquiring request) {
    if (!request.decided().compareAndSet(false, true)) {
      release(request.id(), request.planned().lender());
    }
  }

  private boolean begin(
      Acquiring request,
      LeaseAnswer.Granted granted,
      Vacancy vacancy,
      List<ActiveLease> taken,
      Consumer<String> withdrawn) {
    String lender = request.planned().lender();
    int[] slots =
        granted.slots().stream().limit(vacancy.missing()).mapToInt(slot -> slot).toArray();
    CompletableFuture<Void> held = new CompletableFuture<>();
    LeasedPlaces places = places(request.id(), lender, slots, held);
    ActiveLease one =
        new ActiveLease(
            request.id(),
            lender,
            vacancy.checkpoint(),
            places,
            vacancy.next(),
            held,
            withdrawn,
            new AtomicBoolean());
    active.put(request.id(), one);
    vacancy.add(places);
    taken.add(one);
    return true;
  }

  private LeasedPlaces places(
      LeaseId id, String lender, int[] slots, CompletableFuture<Void> held) {
    Peers.Peer peer =
        peers
            .known(lender)
            .orElseThrow(() -> new IllegalArgumentException(lender + " is not known any more"));
    Runnable giveBack = () -> release(id, lender);
    Optional<PeerSlots> reached = peer.slots().filter(PeerSlots::areReached);
    if (reached.isPresent()) {
      return reached.get().lease(slots, giveBack);
    }
    return new RemoteSlots(
            id,
            peer.id(),
            slots.length,
            chunkBytes,
            pushes,
            span -> read(span, lender, held),
            waits)
        .places(giveBack);
  }

  /** Reads from a lender whose memory is out of reach, once that holds the chunk. */
  private CompletionStage<PeerReply.Piece> read(
      ChunkSpan span, String lender, CompletableFuture<Void> held) {
    return waits
        .failAfter(held.copy(), HELD_NANOS)
        .thenCompose(h -> peers.ask(lender, new PeerRequest.Read(span), PeerReply.Piece.class))
        .whenComplete(
            (bytes, failure) -> {
              if (failure != null && Peers.isRefusal(failure)) {
                lost(span.lease(), lender + " does not hold it: " + failure.getMessage());
              }
            });
  }

  /** Releases a lease that no chunk needs and no copy uses any more. */
  private void release(LeaseId id, String lender) {
    active.remove(id);
    releases.send(id, lender);
  }

  /** Repeats the releases that were not answered. */
  public void releaseAgain() {
    releases.sendAgain();
  }

  /** Moves the chunks of a lease to host memory, since the lender wants its slots back. */
  public boolean vacate(LeaseId id, ByteBuffer staging) {
    ActiveLease lease = active.get(id);
    if (lease == null) {
      return true;
    }
    try {
      return lease.checkpoint().moveToHost(lease.places(), staging);
    } catch (IOException | IllegalStateException e) {
      LOG.warn("{} cannot be moved out of the slots of {}", id, lease.lender(), e);
      return false;
    }
  }

  /** Discards the checkpoint of a lease, since the lender holds its chunks no more. */
  public void lost(LeaseId id, String reason) {
    ActiveLease lease = active.get(id);
    if (lease != null) {
      LOG.warn("{} is withdrawn at DEVICE: {}", lease.checkpoint(), reason);
      lease.checkpoint().discard();
      lease.withdrawn().accept(reason);
    }
  }

  /**
   * Discards all checkpoints of a rank that ended, up to this epoch. Leases of a later epoch, which
   * belong to a later attempt, stay.
   */
  public void ended(Member member, long epoch) {
    inOrder()
        .map(ActiveLease::checkpoint)
        .filter(one -> one.id().group().equals(member.group()) && one.rank() == member.rank())
        .filter(one -> one.id().epoch() <= epoch)
        .toList()
        .forEach(CachedCheckpoint::discard);
  }

  /**
   * Discards the complete checkpoints that have chunks at a lender that is gone. Chunks of one that
   * is still being captured are to get other places; see {@link LeasedChunks#isLost}.
   *
   * @param dead whether its death is proven; a lender that was only silent may return, and then
   *     receives the releases
   * @return false while a capture may still use the lender's slots, so that they must stay open;
   *     the caller calls again later. If the death is proven, copies for checkpoints that are gone
   *     do not count: each keeps its memory open until it ends, which may be never
   */
  public boolean lenderGone(String lender, boolean dead) {
    boolean unused = true;
    for (ActiveLease lease : inOrder().toList()) {
      if (lease.lender().equals(lender)) {
        lease.lost().set(true);
        if (!lease.checkpoint().images().isEmpty()) {
          lost(lease.id(), lender + " is gone");
        } else if (!dead || !lease.checkpoint().isGone()) {
          unused = false;
        }
      }
    }
    if (dead) {
      releases.forget(lender);
    }
    return unused;
  }

  /** The oldest first. */
  private Stream<ActiveLease> inOrder() {
    return active.values().stream().sorted(Comparator.comparingLong(lease -> lease.id().nonce()));
  }

  /** The number of leases in use. */
  public int leases() {
    return active.size();
  }
}

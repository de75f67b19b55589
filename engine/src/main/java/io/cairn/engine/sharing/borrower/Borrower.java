package io.cairn.engine.sharing.borrower;

import io.cairn.cache.capture.Capture;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Loan;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Member;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.engine.sharing.peer.Peers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds places for the chunks of a checkpoint that do not fit at home: claims what the desk planned
 * from its lenders, and puts the rest into host memory. Every claim ends in a release, which is
 * repeated until it is answered or the lender is gone. Thread-safe.
 */
public final class Borrower {
  private static final Logger LOG = LoggerFactory.getLogger(Borrower.class);

  /** A release that was said so often, about once a second, has nobody to hear it. */
  private static final int MOST_RELEASES = 3600;

  /** How long a reader waits until a lender has verified; longer than any transport does. */
  private static final long HELD_SECONDS = 120;

  private final HolderId self;
  private final Peers peers;
  private final Staging staging;
  private final int chunkBytes;
  private final long patienceNanos;
  private final AtomicLong nonces = new AtomicLong();
  private final Map<LeaseId, Borrowed> borrowed = new ConcurrentHashMap<>();

  /** Releases that are not answered yet. */
  private final Map<LeaseId, Releasing> releasing = new ConcurrentHashMap<>();

  public Borrower(HolderId self, Peers peers, Staging staging, int chunkBytes, long patienceNanos) {
    this.self = self;
    this.peers = peers;
    this.staging = staging;
    this.chunkBytes = chunkBytes;
    this.patienceNanos = patienceNanos;
  }

  /** A release that is said until it is heard. */
  private record Releasing(String lender, AtomicInteger unheard) {}

  /** A claim on its way. */
  private record Claiming(
      LeaseId id, PlanAnswer.Share share, CompletableFuture<PeerReply.Leased> answer) {}

  /**
   * Places what has no place and starts to copy it; waits for answers at most for the patience.
   *
   * @param plan what the desk planned; less than is missing if it did not answer
   * @return what was borrowed; chunks without a place are left if there is no room
   * @throws IllegalStateException if a lender lost its part meanwhile: the checkpoint is gone
   */
  public Loans place(
      Member member,
      PlanAnswer.Part plan,
      CachedCheckpoint target,
      Capture capture,
      Consumer<String> withdrawn) {
    long end = System.nanoTime() + patienceNanos;
    Deque<Claiming> claims = new ArrayDeque<>();
    for (PlanAnswer.Share share : plan.shares()) {
      claims.add(claim(member, target.id(), share));
    }
    try {
      // while lenders answer, the host's part is on its way
      target.addHost(Math.min(plan.hostChunks(), target.chunks() - target.placed()));
      capture.resume();
      List<Borrowed> taken = new ArrayList<>();
      while (!claims.isEmpty()) {
        if (take(claims.remove(), target, end, taken, withdrawn)) {
          capture.resume();
        }
      }
      target.addHost(target.chunks() - target.placed());
      capture.resume();
      return Loans.of(taken, peers);
    } finally {
      // none is left unless something was thrown
      claims.forEach(claim -> release(claim.id(), claim.share().receiver()));
    }
  }

  private Claiming claim(Member member, CheckpointId checkpoint, PlanAnswer.Share share) {
    LeaseId id = new LeaseId(self.toString(), nonces.incrementAndGet(), checkpoint, member.rank());
    PeerRequest claim = new PeerRequest.Lease(new LeaseRequest.Claim(id, share.chunks()));
    return new Claiming(
        id,
        share,
        peers
            .find(share.receiver())
            .thenCompose(peer -> peers.ask(share.receiver(), claim, PeerReply.Leased.class))
            .toCompletableFuture());
  }

  private boolean take(
      Claiming claim,
      CachedCheckpoint target,
      long end,
      List<Borrowed> taken,
      Consumer<String> withdrawn) {
    try {
      long left = Math.max(0, end - System.nanoTime());
      LeaseAnswer answer = claim.answer().get(left, TimeUnit.NANOSECONDS).answer();
      if (answer instanceof LeaseAnswer.Granted granted) {
        return borrow(claim, granted, target, taken, withdrawn);
      }
      LOG.debug("{}: {}", claim.id(), answer);
    } catch (TimeoutException | ExecutionException | RuntimeException e) {
      // also if the checkpoint takes no loan any more, since another lender lost its part
      LOG.warn("{} was not granted: {}", claim.id(), e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    release(claim.id(), claim.share().receiver());
    return false;
  }

  private boolean borrow(
      Claiming claim,
      LeaseAnswer.Granted granted,
      CachedCheckpoint target,
      List<Borrowed> taken,
      Consumer<String> withdrawn) {
    String lender = claim.share().receiver();
    int missing = target.chunks() - target.placed();
    int[] slots = granted.slots().stream().limit(missing).mapToInt(slot -> slot).toArray();
    CompletableFuture<Void> held = new CompletableFuture<>();
    Loan loan = loan(claim.id(), lender, slots, held);
    Borrowed one = new Borrowed(claim.id(), lender, target, loan, target.placed(), held, withdrawn);
    borrowed.put(claim.id(), one);
    target.add(loan);
    taken.add(one);
    return true;
  }

  private Loan loan(LeaseId id, String lender, int[] slots, CompletableFuture<Void> held) {
    Peers.Peer peer =
        peers
            .known(lender)
            .orElseThrow(() -> new IllegalArgumentException(lender + " is not known any more"));
    Runnable giveBack = () -> release(id, lender);
    if (peer.slots().isPresent()) {
      return peer.slots().get().loan(slots, giveBack);
    }
    return new RemoteLease(
            id, peer.id(), slots.length, chunkBytes, staging, span -> read(span, lender, held))
        .loan(giveBack);
  }

  /** Asks a lender on another machine for what it holds, as soon as it does. */
  private CompletionStage<PeerReply.Piece> read(
      ChunkSpan span, String lender, CompletableFuture<Void> held) {
    return held.copy()
        .orTimeout(HELD_SECONDS, TimeUnit.SECONDS)
        .thenCompose(h -> peers.ask(lender, new PeerRequest.Read(span), PeerReply.Piece.class))
        .whenComplete(
            (bytes, failure) -> {
              if (failure != null && Peers.saidNo(failure)) {
                lost(span.lease(), lender + " does not hold it: " + failure.getMessage());
              }
            });
  }

  /** Nothing of this claim is needed, and nothing is written under it any more. */
  private void release(LeaseId id, String lender) {
    borrowed.remove(id);
    Releasing release = new Releasing(lender, new AtomicInteger());
    releasing.put(id, release);
    sayReleased(id, release);
  }

  private void sayReleased(LeaseId id, Releasing release) {
    peers
        .ask(
            release.lender(),
            new PeerRequest.Lease(new LeaseRequest.Release(id)),
            PeerReply.Leased.class)
        .whenComplete(
            (answer, failure) -> {
              // it is said again, until it is heard
              if (failure == null || release.unheard().incrementAndGet() > MOST_RELEASES) {
                releasing.remove(id);
              }
            });
  }

  /** Says again what was not answered. */
  public void releaseAgain() {
    Map.copyOf(releasing).forEach(this::sayReleased);
  }

  /** A lender wants its slots back: moves what lies there to host memory; whether it did. */
  public boolean vacate(LeaseId id, ByteBuffer staging) {
    Borrowed lease = borrowed.get(id);
    if (lease == null) {
      return true;
    }
    try {
      return lease.checkpoint().moveToHost(lease.loan(), staging);
    } catch (IOException | IllegalStateException e) {
      LOG.warn("{} cannot be moved out of the slots of {}: {}", id, lease.lender(), e.toString());
      return false;
    }
  }

  /** What a lender holds no more is lost, and its checkpoint with it. */
  public void lost(LeaseId id, String reason) {
    Borrowed lease = borrowed.get(id);
    if (lease != null) {
      LOG.warn("{} is withdrawn at DEVICE: {}", lease.checkpoint(), reason);
      lease.checkpoint().discard();
      lease.withdrawn().accept(reason);
    }
  }

  /**
   * A rank ends: peers keep nothing for it any more, but what a later attempt of it has borrowed in
   * a later epoch.
   */
  public void ended(Member member, long epoch) {
    borrowed.values().stream()
        .map(Borrowed::checkpoint)
        .filter(one -> one.id().group().equals(member.group()) && one.rank() == member.rank())
        .filter(one -> one.id().epoch() <= epoch)
        .toList()
        .forEach(CachedCheckpoint::discard);
  }

  /**
   * A lender is gone, and all that lay there.
   *
   * @param dead whether that is proven; one that is only silent may come back, and is told then
   *     what is released
   */
  public void lenderGone(String lender, boolean dead) {
    borrowed.values().stream()
        .filter(lease -> lease.lender().equals(lender))
        .map(Borrowed::id)
        .toList()
        .forEach(id -> lost(id, lender + " is gone"));
    if (dead) {
      releasing.values().removeIf(release -> release.lender().equals(lender));
    }
  }

  /** Leases of other holders' slots that are in use. */
  public int leases() {
    return borrowed.size();
  }
}

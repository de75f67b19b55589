package io.cairn.engine.sharing;

import io.cairn.cache.capture.Capture;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Loan;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Member;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.sharing.SharingWire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds places for the chunks of a checkpoint that do not fit at home: claims what the desk planned
 * from its lenders, and puts the rest into host memory. Every claim ends in a release, which is
 * repeated until it is answered or the lender is gone. Thread-safe.
 */
final class Borrower {
  private static final Logger LOG = LoggerFactory.getLogger(Borrower.class);

  private final HolderId self;
  private final Peers peers;
  private final long patienceNanos;
  private final AtomicLong nonces = new AtomicLong();
  private final Map<LeaseId, Borrowed> borrowed = new ConcurrentHashMap<>();

  /** Claims that are not released yet, with their lenders. */
  private final Map<LeaseId, String> unreleased = new ConcurrentHashMap<>();

  /** Claims that are not settled: neither borrowed under nor to be released yet. */
  private final Set<LeaseId> claiming = ConcurrentHashMap.newKeySet();

  Borrower(HolderId self, Peers peers, long patienceNanos) {
    this.self = self;
    this.peers = peers;
    this.patienceNanos = patienceNanos;
  }

  /** A claim on its way. */
  private record Claiming(LeaseId id, PlanAnswer.Share share, CompletableFuture<byte[]> answer) {}

  /**
   * Places what has no place and starts to copy it; waits for answers at most for the patience.
   *
   * @param plan what the desk planned; less than is missing if it did not answer
   * @return what was borrowed; chunks without a place are left if there is no room
   */
  List<Borrowed> place(
      Member member,
      PlanAnswer.Part plan,
      CachedCheckpoint target,
      Capture capture,
      Consumer<String> withdrawn) {
    List<Claiming> claims = new ArrayList<>();
    try {
      for (PlanAnswer.Share share : plan.shares()) {
        claims.add(claim(member, target.id(), share));
      }
      return settle(claims, plan, target, capture, withdrawn);
    } finally {
      claims.forEach(claim -> claiming.remove(claim.id()));
    }
  }

  private List<Borrowed> settle(
      List<Claiming> claims,
      PlanAnswer.Part plan,
      CachedCheckpoint target,
      Capture capture,
      Consumer<String> withdrawn) {
    long end = System.nanoTime() + patienceNanos;
    // while lenders answer, the host's part is on its way
    target.addHost(Math.min(plan.hostChunks(), target.chunks() - target.placed()));
    capture.resume();
    List<Borrowed> taken = new ArrayList<>();
    for (Claiming claim : claims) {
      if (take(claim, target, end, taken, withdrawn)) {
        capture.resume();
      }
    }
    target.addHost(target.chunks() - target.placed());
    capture.resume();
    return taken;
  }

  private Claiming claim(Member member, CheckpointId checkpoint, PlanAnswer.Share share) {
    LeaseId id = new LeaseId(self.toString(), nonces.incrementAndGet(), checkpoint, member.rank());
    claiming.add(id);
    unreleased.put(id, share.receiver());
    byte[] claim = SharingWire.encode(new LeaseRequest.Claim(id, share.chunks()));
    return new Claiming(
        id,
        share,
        peers
            .find(share.receiver())
            .thenCompose(peer -> peers.ask(share.receiver(), PeerCall.LEASE, claim))
            .toCompletableFuture());
  }

  private boolean take(
      Claiming claim,
      CachedCheckpoint target,
      long end,
      List<Borrowed> taken,
      Consumer<String> withdrawn) {
    try {
      byte[] bytes = claim.answer().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      LeaseAnswer answer = SharingWire.decodeAnswer(bytes);
      if (answer instanceof LeaseAnswer.Granted granted) {
        return borrow(claim, granted, target, taken, withdrawn);
      }
      LOG.debug("{}: {}", claim.id(), answer);
    } catch (TimeoutException | ExecutionException | IllegalArgumentException e) {
      LOG.warn("{} was not granted: {}", claim.id(), e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    release(claim.id());
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
    Loan loan =
        peers
            .known(lender)
            .flatMap(Peers.Peer::slots)
            .orElseThrow(() -> new IllegalArgumentException(lender + " shares no memory"))
            .loan(slots, () -> release(claim.id()));
    Borrowed one = new Borrowed(claim.id(), lender, target, loan, target.placed(), withdrawn);
    borrowed.put(claim.id(), one);
    target.add(loan);
    taken.add(one);
    return true;
  }

  /** Nothing of this claim is needed, and nothing is written under it any more. */
  private void release(LeaseId id) {
    borrowed.remove(id);
    String lender = unreleased.get(id);
    if (lender != null) {
      byte[] release = SharingWire.encode(new LeaseRequest.Release(id));
      peers
          .ask(lender, PeerCall.LEASE, release)
          .whenComplete(
              (answer, failure) -> {
                if (failure == null) {
                  unreleased.remove(id);
                } // else it is said again
              });
    }
  }

  /** Says again what was not answered. */
  void releaseAgain() {
    for (LeaseId id : List.copyOf(unreleased.keySet())) {
      if (!claiming.contains(id) && !borrowed.containsKey(id)) {
        release(id);
      }
    }
  }

  /**
   * Tells a lender what was written to its slots.
   *
   * @return completes when it has verified and holds all of it; fails if it does not
   */
  CompletionStage<Void> announce(Borrowed lease) {
    byte[] filled = SharingWire.encode(new LeaseRequest.Filled(lease.id(), lease.filled()));
    int chunks = lease.loan().chunks();
    return peers
        .ask(lease.lender(), PeerCall.LEASE, filled)
        .thenAccept(
            bytes -> {
              LeaseAnswer answer = SharingWire.decodeAnswer(bytes);
              if (!(answer instanceof LeaseAnswer.Acknowledged held)
                  || held.positions().size() < chunks) {
                throw new IllegalStateException(lease.lender() + " does not hold all: " + answer);
              }
            });
  }

  /** A lender wants its slots back: moves what lies there to host memory; whether it did. */
  boolean vacate(LeaseId id, ByteBuffer staging) {
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
  void lost(LeaseId id, String reason) {
    Borrowed lease = borrowed.get(id);
    if (lease != null) {
      LOG.warn("{} is withdrawn at DEVICE: {}", lease.checkpoint(), reason);
      lease.checkpoint().discard();
      lease.withdrawn().accept(reason);
    }
  }

  /** A lender is gone, and all that lay there. */
  void lenderGone(String lender) {
    borrowed.values().stream()
        .filter(lease -> lease.lender().equals(lender))
        .map(Borrowed::id)
        .toList()
        .forEach(id -> lost(id, lender + " is gone"));
    unreleased.values().removeIf(lender::equals);
  }

  /** Leases of other holders' slots that are in use. */
  int leases() {
    return borrowed.size();
  }
}

package io.cairn.core.sharing;

import io.cairn.GroupId;
import io.cairn.core.sharing.Lease.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One lender's authority over the slots that its cache lends. The package page lists its guarantees
 * and its demands on borrowers; {@code docs/LEASES.md} has the table of states.
 *
 * <p>Not thread-safe: one thread at a time.
 */
public final class LeaseBook {
  /*
   * Admission
   *
   * A request is granted the slots that the cache offers with it, perhaps fewer than it asked for.
   * It is refused if no slot is offered, the quarantine is full, the trainer waits for memory, the
   * epoch is over, or a later request was answered before. A repeated request gets the same answer,
   * unless its epoch is over by then.
   *
   * Verification and expiry
   *
   * Filled positions are verified and acknowledged one by one. When the time to fill is over,
   * positions that are not filled go into quarantine; filled positions stay. Damaged positions go
   * into quarantine, too, since their borrower may still be writing.
   *
   * Epochs
   *
   * A request of a later epoch quarantines all positions of older epochs of the group that are not
   * acknowledged. Acknowledged positions stay held: the group rolls back to them.
   *
   * Death
   *
   * When a borrower is proven dead, all of its slots are free as soon as no reader pins them. Its
   * chunks are of no use: the rest of its checkpoints died with its process. A borrower that was
   * declared dead after a silence, and answers a greeting later, is granted new leases. Requests
   * for its earlier leases stay refused.
   *
   * Revocation
   *
   * While the trainer waits for slots, no request is granted. Held slots return in this order:
   * chunks with a copy at NODE, at once; then older iterations first. A chunk that is dropped, or
   * not moved by the deadline, withdraws its checkpoint. A slot that a borrower still writes is
   * revoked last and returns only with its release.
   *
   * Return
   *
   * A slot returns to the cache when no promise holds it, its borrower can no longer write to it,
   * and no pin of its lease is open.
   */
  private final LeaseTerms terms;
  private final Admission admission = new Admission();
  private final LeaseLedger ledger;
  private final Revocation revocation;

  /**
   * A book without leases.
   *
   * @param slots of the cache; they are 0 to one less
   */
  public LeaseBook(int slots, LeaseTerms terms) {
    this.terms = terms;
    this.ledger = new LeaseLedger(slots);
    this.revocation = new Revocation(ledger, admission);
  }

  /**
   * Handles one event; returns the actions to carry out, in order.
   *
   * @param nowNanos of any clock that never goes back
   * @throws IllegalArgumentException if slots are lent that are not the cache's own
   * @throws IllegalStateException if an event ends a pin, a verification or a move that is not open
   */
  public List<LeaseAction> on(LeaseEvent event, long nowNanos) {
    ledger.begin();
    if (ledger.isDue(nowNanos)) {
      ledger.leases().forEach(lease -> expire(lease, nowNanos));
    }
    if (event instanceof LeaseRequest request) {
      request(request, nowNanos);
    } else if (event instanceof LeaseEvent.Offer offer) {
      ledger.offer(offer.slots());
      acquire(offer.request(), nowNanos);
    } else if (event instanceof LeaseEvent.TakeBack takeBack) {
      revocation.takeBack(takeBack);
    } else if (event instanceof LeaseEvent.Verified verified) {
      verified(verified);
    } else if (event instanceof LeaseEvent.Moved moved) {
      revocation.moved(moved);
    } else if (event instanceof LeaseEvent.Flushed flushed) {
      ledger.lease(flushed.id()).ifPresent(lease -> flushed.positions().forEach(lease::flush));
    } else if (event instanceof LeaseEvent.Pin pin) {
      pin(pin.id());
    } else if (event instanceof LeaseEvent.Unpin unpin) {
      ledger.pinned(unpin.id()).unpin();
    } else if (event instanceof LeaseEvent.BorrowerDead dead) {
      borrowerDead(dead.holder());
    } else if (event instanceof LeaseEvent.BorrowerGreeted greeted) {
      admission.greets(greeted.holder());
    } else if (!(event instanceof LeaseEvent.Clock)) {
      throw new AssertionError("a lease book does not handle " + event);
    }
    revocation.proceed(nowNanos);
    return ledger.end();
  }

  /** The use of the lent slots. */
  public Occupancy occupancy() {
    return new Occupancy(
        ledger.count(State.GRANTED) + ledger.count(State.VERIFYING),
        ledger.count(State.HELD) + ledger.count(State.MOVING),
        ledger.count(State.QUARANTINED),
        ledger.draining());
  }

  /**
   * Whether a new request would be granted if the cache offered slots. A lender asks before it
   * lends, so that a request that is refused evicts nothing.
   */
  public boolean wouldGrant(LeaseId id) {
    return ledger.lease(id).isEmpty()
        && admission.fence(id).isEmpty()
        && admission.repetition(id).isEmpty()
        && busy().isEmpty();
  }

  /** For tests: all leases, the oldest first. */
  List<Lease> leases() {
    return List.copyOf(ledger.leases());
  }

  private void expire(Lease lease, long nowNanos) {
    if (lease.fillIsOver(nowNanos)) {
      lease.quarantine("the time to fill it is over", State.GRANTED);
    }
    if (lease.moveIsOver(nowNanos)) {
      revocation.expire(lease);
    }
  }

  private void request(LeaseRequest request, long nowNanos) {
    LeaseId id = request.id();
    Optional<Lease> lease = ledger.lease(id);
    if (request instanceof LeaseRequest.Acquire acquire) {
      acquire(acquire, nowNanos);
    } else if (request instanceof LeaseRequest.Filled filled) {
      filled(filled, lease);
    } else if (request instanceof LeaseRequest.Release) {
      // an earlier message of this lease may still arrive
      admission.answers(id);
      lease.ifPresent(Lease::release);
      ledger.send(new LeaseAnswer.Released(id));
    } else {
      throw new AssertionError("a lease book does not handle " + request);
    }
  }

  private void acquire(LeaseRequest.Acquire request, long nowNanos) {
    LeaseId id = request.id();
    begin(id.checkpoint().group(), id.checkpoint().epoch());
    Optional<Lease> known = ledger.lease(id).filter(lease -> !lease.gone());
    Optional<String> refusal = known.isEmpty() ? refusal(id) : admission.fence(id);
    admission.answers(id);
    if (refusal.isPresent()) {
      ledger.send(new LeaseAnswer.Refused(id, refusal.get()));
      return;
    }
    Lease lease = known.orElseGet(() -> grant(request, nowNanos));
    ledger.send(new LeaseAnswer.Granted(id, lease.slots, terms.fillNanos()));
  }

  private Optional<String> refusal(LeaseId id) {
    return admission.fence(id).or(() -> admission.repetition(id)).or(this::noRoom);
  }

  private Lease grant(LeaseRequest.Acquire request, long nowNanos) {
    List<Integer> slots = ledger.take(Math.min(request.chunks(), ledger.offered()));
    Lease lease = new Lease(request.id(), slots, terms.fillUntil(nowNanos));
    ledger.add(lease);
    return lease;
  }

  private Optional<String> noRoom() {
    return busy()
        .or(() -> ledger.offered() == 0 ? Optional.of("no slot is spare") : Optional.empty());
  }

  /** The reason to grant nothing, however many slots are spare. */
  private Optional<String> busy() {
    int quarantined = ledger.count(State.QUARANTINED);
    if (quarantined >= terms.quarantineQuota()) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "the quarantine is full: %d slots that borrowers without a promise may still write"
                  + " to",
              quarantined));
    }
    return ledger.wanted() > 0
        ? Optional.of(String.format(Locale.ROOT, "the trainer waits for %d slots", ledger.wanted()))
        : Optional.empty();
  }

  private void filled(LeaseRequest.Filled filled, Optional<Lease> lease) {
    Optional<String> fence = admission.fence(filled.id());
    if (lease.isPresent() && fence.isEmpty()) {
      fill(filled, lease.get());
    } else {
      String reason = fence.orElse("there is no such lease");
      reject(filled.id(), filled.chunks().stream().map(FilledChunk::position).toList(), reason);
    }
  }

  private void fill(LeaseRequest.Filled filled, Lease lease) {
    List<Integer> kept = new ArrayList<>();
    List<Integer> rejected = new ArrayList<>();
    List<LeasedChunk> toVerify = new ArrayList<>();
    for (FilledChunk chunk : filled.chunks()) {
      int position = chunk.position();
      if (lease.is(position, State.GRANTED)) {
        lease.fill(chunk);
        toVerify.add(lease.held(position));
      } else if (!lease.promises(chunk)) {
        rejected.add(position);
      } else if (!lease.is(position, State.VERIFYING)) {
        kept.add(position);
      }
    }
    if (!toVerify.isEmpty()) {
      lease.pin();
      ledger.act(new LeaseAction.Verify(lease.id, toVerify));
    }
    acknowledge(lease.id, kept);
    reject(lease.id, rejected, lease.ended());
  }

  private void verified(LeaseEvent.Verified event) {
    Lease lease = ledger.pinned(event.id());
    lease.unpin();
    // the borrower waits for an answer about these, too
    reject(lease.id, overtaken(lease, event), lease.ended());
    List<Integer> whole = verifying(lease, event.whole());
    whole.forEach(position -> lease.become(position, State.HELD));
    acknowledge(lease.id, whole);
    List<Integer> damaged = verifying(lease, event.damaged());
    damaged.forEach(position -> lease.become(position, State.QUARANTINED));
    reject(lease.id, damaged, "the checksum differs");
  }

  /** Positions whose promise ended while they were verified. */
  private static List<Integer> overtaken(Lease lease, LeaseEvent.Verified event) {
    return Stream.concat(event.whole().stream(), event.damaged().stream())
        .distinct()
        .filter(position -> lease.is(position, State.QUARANTINED))
        .toList();
  }

  private static List<Integer> verifying(Lease lease, List<Integer> positions) {
    return positions.stream().distinct().filter(p -> lease.is(p, State.VERIFYING)).toList();
  }

  private void acknowledge(LeaseId id, List<Integer> positions) {
    if (!positions.isEmpty()) {
      ledger.send(new LeaseAnswer.Acknowledged(id, positions));
    }
  }

  private void reject(LeaseId id, List<Integer> positions, String reason) {
    if (!positions.isEmpty()) {
      ledger.send(new LeaseAnswer.Rejected(id, positions, reason));
    }
  }

  private void begin(GroupId group, long epoch) {
    if (admission.begins(group, epoch)) {
      ledger.leases().stream()
          .filter(lease -> lease.id.checkpoint().group().equals(group))
          .filter(lease -> admission.isOlder(lease.id))
          .forEach(lease -> fence(lease, "the group is in epoch " + epoch));
    }
  }

  private static void fence(Lease lease, String why) {
    lease.quarantine(why, State.GRANTED);
    lease.quarantine(why, State.VERIFYING);
  }

  private void borrowerDead(String holder) {
    admission.dies(holder);
    ledger.leases().stream()
        .filter(lease -> lease.id.holder().equals(holder))
        .forEach(revocation::bury);
  }

  private void pin(LeaseId id) {
    Optional<Lease> lease = ledger.lease(id);
    List<LeasedChunk> chunks =
        lease.map(l -> l.positions(l::holds).stream().map(l::held).toList()).orElse(List.of());
    if (lease.isPresent() && !chunks.isEmpty()) {
      lease.get().pin();
    }
    ledger.act(new LeaseAction.Read(id, chunks));
  }
}

package io.cairn.core.sharing;

import io.cairn.core.model.GroupId;
import io.cairn.core.sharing.Lease.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One receiver's authority over the slots that its cache lends to other holders' checkpoints. The
 * package's page says what it keeps to, and what it asks of senders.
 *
 * <p>A claim is granted open slots, as many as there are, or refused with a reason: no slot is
 * open, the quarantine is full, the trainer waits for memory, the epoch is over, or the claim is
 * late. A repeated claim is answered as it was, unless its epoch is over by then. What is filled is
 * verified and acknowledged position by position. When the time to fill is over, positions that are
 * not filled go into quarantine; those that are filled stay. What was damaged waits there, too:
 * whoever wrote it may still be writing.
 *
 * <p>A later epoch of the group quarantines what older ones have not had acknowledged. What they
 * have, stays held: it is what the group rolls back to.
 *
 * <p>When a sender is proven dead, what it was writing, and what is in quarantine for it, is free
 * at once. What it has had acknowledged stays held: its process took its own cache along, so the
 * checkpoint is whole again only where these chunks meet copies of the others at NODE or above. For
 * that they must be flushed, which only this receiver can do, and its next life restores from here
 * what is nearest. Nobody is left to release them, so they stay until the owner's policy drops
 * them, and they are the first to go when the trainer wants memory.
 *
 * <p>When the trainer wants slots back, no claim is granted until it has them. What is held goes in
 * this order: chunks with a copy at NODE, at once; chunks of dead senders; older iterations first.
 * What is dropped, or not moved by the deadline, withdraws its checkpoint. What a sender is still
 * writing is revoked last and comes back only with its release.
 *
 * <p>A slot is free once nobody reads under a pin of its lease. One thread at a time.
 */
public final class LeaseBook {
  private final LeaseTerms terms;
  private final Admission admission = new Admission();
  private final Ledger ledger;
  private final Revocation revocation;

  /**
   * A book to which nothing is lent yet.
   *
   * @param slots of the cache; they are 0 to one less
   */
  public LeaseBook(int slots, LeaseTerms terms) {
    this.terms = terms;
    this.ledger = new Ledger(slots);
    this.revocation = new Revocation(ledger, admission);
  }

  /**
   * Takes one event; returns what is to be done, in order.
   *
   * @param nowNanos of any clock that never goes back
   * @throws IllegalArgumentException if slots are lent that are not the cache's own
   * @throws IllegalStateException if an event ends a pin, a verification or a move that is none
   */
  public List<LeaseAction> on(LeaseEvent event, long nowNanos) {
    ledger.begin();
    if (ledger.isDue(nowNanos)) {
      ledger.leases().forEach(lease -> expire(lease, nowNanos));
    }
    if (event instanceof LeaseRequest request) {
      request(request, nowNanos);
    } else if (event instanceof LeaseEvent.Lend lend) {
      ledger.pool.lend(lend.slots());
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
    } else if (event instanceof LeaseEvent.Drop drop) {
      ledger.lease(drop.id()).ifPresent(revocation::drop);
    } else if (event instanceof LeaseEvent.SenderDead dead) {
      senderDead(dead.holder());
    } else if (event instanceof LeaseEvent.EpochBegun begun) {
      begin(begun.group(), begun.epoch());
    }
    revocation.proceed(nowNanos);
    return ledger.end();
  }

  /** What the lent slots are used for. */
  public Occupancy occupancy() {
    return new Occupancy(
        ledger.pool.open(),
        ledger.count(State.GRANTED) + ledger.count(State.VERIFYING),
        ledger.count(State.HELD) + ledger.count(State.MOVING),
        ledger.count(State.QUARANTINED),
        ledger.draining());
  }

  /**
   * Whether a claim that nobody has made yet would be granted if enough slots were open. A receiver
   * asks before it lends: what is refused anyway shall evict nothing.
   */
  public boolean wouldGrant(LeaseId id) {
    return ledger.lease(id).isEmpty()
        && admission.fence(id).isEmpty()
        && admission.repetition(id).isEmpty()
        && busy().isEmpty();
  }

  /** What is held for others now, oldest lease first. */
  public List<Holding> holdings() {
    return ledger.leases().stream().map(LeaseBook::holding).filter(Holding::holdsAny).toList();
  }

  private static Holding holding(Lease lease) {
    return new Holding(
        lease.id,
        lease.orphaned(),
        lease.positions(lease::holds).stream().map(lease::held).toList(),
        lease.all(State.AWAY).stream().map(lease::chunk).toList());
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
    if (request instanceof LeaseRequest.Claim claim) {
      claim(claim, lease.filter(known -> !known.gone()), nowNanos);
    } else if (request instanceof LeaseRequest.Filled filled) {
      filled(filled, lease);
    } else if (request instanceof LeaseRequest.ReleaseSome some) {
      lease.ifPresent(known -> release(known, some.positions()));
      ledger.tell(new LeaseAnswer.ReleasedSome(id, some.positions()));
    } else {
      // a claim that is still on its way is over, too
      admission.answers(id);
      lease.ifPresent(known -> release(known, known.positions(position -> true)));
      ledger.tell(new LeaseAnswer.Released(id));
    }
  }

  private void claim(LeaseRequest.Claim claim, Optional<Lease> known, long nowNanos) {
    LeaseId id = claim.id();
    begin(id.checkpoint().group(), id.checkpoint().epoch());
    Optional<String> refusal = known.isEmpty() ? refusal(id) : admission.fence(id);
    admission.answers(id);
    if (refusal.isPresent()) {
      ledger.tell(new LeaseAnswer.Refused(id, refusal.get()));
      return;
    }
    Lease lease = known.orElseGet(() -> grant(claim, nowNanos));
    ledger.tell(new LeaseAnswer.Granted(id, lease.slots, terms.fillNanos()));
  }

  private Optional<String> refusal(LeaseId id) {
    return admission.fence(id).or(() -> admission.repetition(id)).or(this::noRoom);
  }

  private Lease grant(LeaseRequest.Claim claim, long nowNanos) {
    List<Integer> slots = ledger.pool.take(Math.min(claim.chunks(), ledger.pool.open()));
    Lease lease = new Lease(claim.id(), slots, nowNanos + terms.fillNanos());
    ledger.add(lease);
    return lease;
  }

  private Optional<String> noRoom() {
    return busy()
        .or(() -> ledger.pool.open() == 0 ? Optional.of("no slot is open") : Optional.empty());
  }

  /** Why nothing is granted, however many slots are open. */
  private Optional<String> busy() {
    int quarantined = ledger.count(State.QUARANTINED);
    if (quarantined >= terms.quarantineQuota()) {
      return Optional.of(
          "the quarantine is full: %d slots that senders without a promise may still write to"
              .formatted(quarantined));
    }
    return ledger.pool.wanted() > 0
        ? Optional.of("the trainer waits for %d slots".formatted(ledger.pool.wanted()))
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
    List<HeldChunk> toVerify = new ArrayList<>();
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
    // the sender waits for a word on these, too
    reject(lease.id, overtaken(lease, event), lease.ended());
    List<Integer> whole = verifying(lease, event.whole());
    whole.forEach(position -> lease.become(position, State.HELD));
    acknowledge(lease.id, whole);
    List<Integer> damaged = verifying(lease, event.damaged());
    damaged.forEach(position -> lease.become(position, State.QUARANTINED));
    reject(lease.id, damaged, "the checksum differs");
  }

  /** What lost its promise while it was verified. */
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
      ledger.tell(new LeaseAnswer.Acknowledged(id, positions));
    }
  }

  private void reject(LeaseId id, List<Integer> positions, String reason) {
    if (!positions.isEmpty()) {
      ledger.tell(new LeaseAnswer.Rejected(id, positions, reason));
    }
  }

  private static void release(Lease lease, List<Integer> positions) {
    positions.stream()
        .filter(position -> position < lease.slots.size())
        .forEach(position -> lease.vacate(position, State.GONE));
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

  private void senderDead(String holder) {
    admission.dies(holder);
    ledger.leases().stream()
        .filter(lease -> lease.id.holder().equals(holder))
        .forEach(LeaseBook::orphan);
  }

  private static void orphan(Lease lease) {
    lease.orphan();
    for (State state : List.of(State.GRANTED, State.VERIFYING, State.QUARANTINED)) {
      lease.all(state).forEach(position -> lease.vacate(position, State.GONE));
    }
  }

  private void pin(LeaseId id) {
    Optional<Lease> lease = ledger.lease(id);
    List<HeldChunk> chunks =
        lease.map(l -> l.positions(l::holds).stream().map(l::held).toList()).orElse(List.of());
    if (lease.isPresent() && !chunks.isEmpty()) {
      lease.get().pin();
    }
    ledger.act(new LeaseAction.Read(id, chunks));
  }
}

package io.cairn.core.sharing;

import io.cairn.core.sharing.Lease.State;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/** Ends promises early: the trainer takes slots back by a deadline, or a borrower is dead. */
final class Revocation {
  private static final Comparator<Lease> OLDEST_FIRST =
      Comparator.comparingLong(lease -> lease.id.checkpoint().iteration());

  private final LeaseLedger ledger;
  private final Admission admission;
  private long untilNanos;

  Revocation(LeaseLedger ledger, Admission admission) {
    this.ledger = ledger;
    this.admission = admission;
  }

  void takeBack(LeaseEvent.TakeBack event) {
    untilNanos = event.deadlineNanos();
    ledger.want(event.count());
  }

  /** Revokes the slots that the trainer waits for and that no pending release returns. */
  void proceed(long nowNanos) {
    if (ledger.wanted() == 0) {
      return;
    }
    List<Lease> order = ledger.leases().stream().sorted(OLDEST_FIRST).toList();
    order.forEach(lease -> leave(lease, some(lease, p -> lease.isFlushed(p) && held(lease, p))));
    order.forEach(lease -> move(lease, some(lease, p -> held(lease, p)), nowNanos));
    order.forEach(this::stopWriting);
  }

  /** Slots that the trainer waits for and that do not return by themselves. */
  private int missing() {
    return ledger.wanted() - ledger.draining() - ledger.count(State.MOVING);
  }

  private static boolean held(Lease lease, int position) {
    return lease.is(position, State.HELD);
  }

  private List<Integer> some(Lease lease, IntPredicate which) {
    int missing = missing();
    return missing <= 0 ? List.of() : lease.positions(which).stream().limit(missing).toList();
  }

  private static void leave(Lease lease, List<Integer> flushed) {
    flushed.forEach(position -> lease.vacate(position, State.AWAY));
  }

  private void move(Lease lease, List<Integer> positions, long nowNanos) {
    if (positions.isEmpty()) {
      return;
    }
    if (untilNanos <= nowNanos) {
      lose(lease, positions, "the trainer took its memory back");
    } else {
      lease.move(positions, untilNanos);
      ledger.act(
          new LeaseAction.MoveOrDrop(
              lease.id, positions.stream().map(lease::held).toList(), untilNanos));
    }
  }

  private void stopWriting(Lease lease) {
    int more = missing() - ledger.count(State.QUARANTINED);
    if (more > 0 && lease.count(State.GRANTED) > 0) {
      // all positions: the borrower releases the lease as a whole
      List<Integer> granted = lease.all(State.GRANTED);
      lease.quarantine("the trainer takes its memory back", State.GRANTED);
      ledger.send(new LeaseAnswer.Revoked(lease.id, granted, lease.ended()));
    }
  }

  void moved(LeaseEvent.Moved event) {
    Lease lease = ledger.pinned(event.id());
    lease.unpin();
    List<Integer> dropped =
        event.dropped().stream().distinct().filter(p -> lease.is(p, State.MOVING)).toList();
    lose(lease, dropped, "the trainer took its memory back");
  }

  /** Drops chunks that were not moved in time; their slots return when no copy reads them. */
  void expire(Lease lease) {
    lose(lease, lease.all(State.MOVING), "it was not moved in time");
  }

  /** Drops held chunks. Those with a copy at NODE are not lost. */
  private void lose(Lease lease, List<Integer> positions, String why) {
    leave(lease, positions.stream().filter(lease::isFlushed).toList());
    List<Integer> lost = positions.stream().filter(p -> !lease.isFlushed(p)).toList();
    lost.forEach(position -> lease.vacate(position, State.GONE));
    withdraw(lease, lost, why);
  }

  private void withdraw(Lease lease, List<Integer> lost, String why) {
    if (!lost.isEmpty()) {
      admission.withdraws(lease.id);
      ledger.send(new LeaseAnswer.Revoked(lease.id, lost, why));
      ledger.act(new LeaseAction.Withdraw(lease.id.checkpoint(), lease.id.rank(), why));
    }
  }

  /**
   * Ends the lease of a borrower that counts as dead. A borrower that was only suspended receives
   * the revocation, and discards its checkpoint.
   */
  void bury(Lease lease) {
    List<Integer> lost = lease.positions(p -> lease.holds(p) && !lease.isFlushed(p));
    lease.release();
    withdraw(lease, lost, "its borrower's process is dead");
  }
}

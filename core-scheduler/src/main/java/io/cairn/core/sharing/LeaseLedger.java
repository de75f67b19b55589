package io.cairn.core.sharing;

import io.cairn.core.sharing.Lease.State;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one book, the actions of one event, and the return of slots to the cache. A slot is
 * lent exactly while it belongs to a lease that has not returned it; no other record of lent slots
 * exists.
 */
final class LeaseLedger {
  private final int slots;
  private final Map<LeaseId, Lease> leases = new LinkedHashMap<>();
  private final List<LeaseAction> actions = new ArrayList<>();

  /** Slots that came with the event and that no lease has taken. */
  private final List<Integer> offered = new ArrayList<>();

  /** Slots that the trainer still waits for. */
  private int wanted;

  private long wakeAt = Long.MAX_VALUE;

  LeaseLedger(int slots) {
    this.slots = slots;
  }

  void begin() {
    actions.clear();
  }

  /** Returns slots that nobody uses, removes leases that are over, and sets the next wake-up. */
  List<LeaseAction> end() {
    List<Integer> unused = new ArrayList<>(offered);
    offered.clear();
    leases.values().forEach(lease -> unused.addAll(lease.drained()));
    removeOver();
    if (!unused.isEmpty()) {
      wanted = Math.max(0, wanted - unused.size());
      actions.add(new LeaseAction.Return(unused));
    }
    long next = leases.values().stream().mapToLong(Lease::deadline).min().orElse(Long.MAX_VALUE);
    if (next != wakeAt && next != Long.MAX_VALUE) {
      actions.add(new LeaseAction.WakeAt(next));
    }
    wakeAt = next;
    return List.copyOf(actions);
  }

  private void removeOver() {
    List<LeaseId> over = leases.values().stream().filter(Lease::over).map(l -> l.id).toList();
    for (LeaseId id : over) {
      leases.remove(id);
      actions.add(new LeaseAction.Over(id));
    }
  }

  /** Takes slots from the cache for the length of this event; all or none. */
  void offer(List<Integer> more) {
    BitSet lent = new BitSet(slots);
    leases.values().forEach(lease -> lease.lentSlots().forEach(lent::set));
    for (int slot : more) {
      if (slot >= slots || lent.get(slot)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "slot %d of %d cannot be lent: it is lent already, named twice, or not the cache's",
                slot,
                slots));
      }
      lent.set(slot);
    }
    offered.addAll(more);
  }

  /** How many of the offered slots no lease has taken. */
  int offered() {
    return offered.size();
  }

  /** Takes offered slots for a lease. */
  List<Integer> take(int count) {
    List<Integer> first = offered.subList(0, count);
    List<Integer> taken = List.copyOf(first);
    first.clear();
    return taken;
  }

  int wanted() {
    return wanted;
  }

  /** The trainer waits for so many slots in all; no more can return than are lent. */
  void want(int count) {
    int lent = leases.values().stream().mapToInt(lease -> lease.lentSlots().size()).sum();
    wanted = Math.min(Math.max(wanted, count), lent);
  }

  /** Whether a deadline is over. */
  boolean isDue(long nowNanos) {
    return wakeAt <= nowNanos;
  }

  Collection<Lease> leases() {
    return leases.values();
  }

  Optional<Lease> lease(LeaseId id) {
    return Optional.ofNullable(leases.get(id));
  }

  /**
   * The lease that a local event ends a pin of; the pin keeps the lease.
   *
   * @throws IllegalStateException if there is no such lease
   */
  Lease pinned(LeaseId id) {
    @Nullable Lease lease = leases.get(id);
    if (lease == null) {
      throw new IllegalStateException("no pin is open on " + id + ", which is over");
    }
    return lease;
  }

  void add(Lease lease) {
    leases.put(lease.id, lease);
  }

  /** Positions in this state. */
  int count(State state) {
    return leases.values().stream().mapToInt(lease -> lease.count(state)).sum();
  }

  int draining() {
    return leases.values().stream().mapToInt(Lease::draining).sum();
  }

  void act(LeaseAction action) {
    actions.add(action);
  }

  void send(LeaseAnswer answer) {
    actions.add(new LeaseAction.Send(answer.id().holder(), answer));
  }
}

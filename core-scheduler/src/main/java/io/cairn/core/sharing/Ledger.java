package io.cairn.core.sharing;

import io.cairn.core.sharing.Lease.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The leases and slots of one book, the actions of one event, and how slots become free. */
final class Ledger {
  final SlotPool pool;
  private final Map<LeaseId, Lease> leases = new LinkedHashMap<>();
  private final List<LeaseAction> actions = new ArrayList<>();
  private long wakeAt = Long.MAX_VALUE;

  Ledger(int slots) {
    pool = new SlotPool(slots);
  }

  void begin() {
    actions.clear();
  }

  /** Frees what nobody uses, pays the trainer back, and says when to come again. */
  List<LeaseAction> end() {
    settle();
    List<Integer> back = pool.payBack();
    if (!back.isEmpty()) {
      actions.add(new LeaseAction.Return(back));
    }
    long next = leases.values().stream().mapToLong(Lease::deadline).min().orElse(Long.MAX_VALUE);
    if (next != wakeAt && next != Long.MAX_VALUE) {
      actions.add(new LeaseAction.WakeAt(next));
    }
    wakeAt = next;
    return List.copyOf(actions);
  }

  private void settle() {
    List<Integer> freed = new ArrayList<>();
    leases.values().forEach(lease -> freed.addAll(lease.drained()));
    if (!freed.isEmpty()) {
      pool.open(freed);
      actions.add(new LeaseAction.Free(freed));
    }
    List<LeaseId> over = leases.values().stream().filter(Lease::over).map(l -> l.id).toList();
    for (LeaseId id : over) {
      leases.remove(id);
      actions.add(new LeaseAction.Over(id));
    }
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

  /** One that a local event answers for: its pin keeps it. */
  Lease pinned(LeaseId id) {
    @Nullable Lease lease = leases.get(id);
    if (lease == null) {
      throw new IllegalStateException("nobody has pinned " + id + ", which is over");
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

  void tell(LeaseAnswer answer) {
    actions.add(new LeaseAction.Tell(answer.id().holder(), answer));
  }
}

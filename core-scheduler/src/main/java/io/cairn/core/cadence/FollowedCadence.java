package io.cairn.core.cadence;

import io.cairn.core.model.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * The cadence of a group in one epoch, at a rank. A planned change is adopted only if every rank
 * received it before it reached the first iteration of the plan. A rank that reaches that iteration
 * before it receives the decision is in doubt, and captures nothing until it does. So no two ranks
 * ever disagree on the iterations that are due. Thread-safe.
 */
public final class FollowedCadence {
  /** Adopted plans by first iteration; those before the plan in force are dropped. */
  private final Deque<CadencePlan> agreed = new ArrayDeque<>();

  private Optional<CadencePlan> planned = Optional.empty();
  private long newestSeen;
  private long reached = -1;

  /** Begins with the plan in force when the epoch began. */
  public FollowedCadence(CadencePlan plan) {
    agreed.add(plan);
    newestSeen = plan.version();
  }

  /**
   * The levels at which an iteration is due.
   *
   * @param levels if in doubt, all levels at which it may be due
   * @param inDoubt whether the rank is in doubt, so that nothing of this iteration can be kept
   */
  public record Due(Set<Level> levels, boolean inDoubt) {
    /** Copies the set. */
    public Due {
      levels = Set.copyOf(levels);
    }
  }

  /** This rank reached an iteration. Iterations rise. */
  public synchronized Due reach(long iteration) {
    reached = Math.max(reached, iteration);
    while (agreed.size() > 1 && second().fromIteration() <= iteration) {
      agreed.removeFirst();
    }
    boolean inDoubt = planned.filter(next -> iteration >= next.fromIteration()).isPresent();
    CadencePlan inForce = agreed.getFirst();
    Set<Level> levels =
        Level.where(
            level ->
                inForce.due(level, iteration)
                    || (inDoubt && planned.filter(next -> next.due(level, iteration)).isPresent()));
    return new Due(levels, inDoubt);
  }

  private CadencePlan second() {
    Iterator<CadencePlan> plans = agreed.iterator();
    plans.next();
    return plans.next();
  }

  /**
   * Takes a planned change. A repeated one gets the same answer.
   *
   * @return whether it arrived before this rank reached the first iteration of the plan
   */
  public synchronized boolean plan(CadencePlan next) {
    if (next.version() > newestSeen) {
      newestSeen = next.version();
      planned = next.fromIteration() > reached ? Optional.of(next) : Optional.empty();
    }
    return planned.equals(Optional.of(next)) || agreed.contains(next);
  }

  /** Takes the coordinator's decision on a planned change. */
  public synchronized void decided(long version, boolean adopted) {
    if (planned.filter(next -> next.version() == version).isPresent()) {
      if (adopted) {
        planned.ifPresent(agreed::addLast);
      }
      planned = Optional.empty();
    }
  }
}

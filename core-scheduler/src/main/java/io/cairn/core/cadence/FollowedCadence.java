package io.cairn.core.cadence;

import io.cairn.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cadence of a group in one epoch, at a rank. A planned change is adopted only if every rank
 * received it before it reached the first iteration of the plan. A rank that reaches that iteration
 * before it receives the decision is in doubt, and captures nothing until it does. So no two ranks
 * ever disagree on the iterations that are due. Thread-safe.
 */
public final class FollowedCadence {
  /** The most iterations that are ordered at once; a coordinator orders one per level. */
  private static final int MOST_ORDERED = 64;

  /** Adopted plans by first iteration; those before the plan in force are dropped. */
  private final Deque<CadencePlan> agreed = new ArrayDeque<>();

  private Optional<CadencePlan> planned = Optional.empty();

  /** By iteration, further levels of iterations that this rank has not reached. */
  private final NavigableMap<Long, Set<Level>> ordered = new TreeMap<>();

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
      levels = Level.where(levels::contains);
    }
  }

  /** This rank reached an iteration. Iterations rise. */
  public synchronized Due reach(long iteration) {
    reached = Math.max(reached, iteration);
    Set<Level> extra = takeOrdered(iteration);
    while (agreed.size() > 1 && second().fromIteration() <= iteration) {
      agreed.removeFirst();
    }
    boolean inDoubt = planned.filter(next -> iteration >= next.fromIteration()).isPresent();
    CadencePlan inForce = agreed.getFirst();
    Set<Level> levels =
        Level.where(
            level ->
                inForce.due(level, iteration)
                    || extra.contains(level)
                    || (inDoubt && planned.filter(next -> next.due(level, iteration)).isPresent()));
    return new Due(levels, inDoubt);
  }

  private Set<Level> takeOrdered(long iteration) {
    if (ordered.isEmpty()) {
      return Set.of();
    }
    Set<Level> extra = EnumSet.noneOf(Level.class);
    NavigableMap<Long, Set<Level>> now = ordered.headMap(iteration, true);
    now.values().forEach(extra::addAll);
    now.clear();
    return extra;
  }

  /**
   * Takes an order to capture an iteration for DEVICE and these levels, whether they are due or
   * not. A rank without that iteration captures the next one so.
   *
   * @return false if this rank has reached the iteration; nothing has changed then
   */
  public synchronized boolean order(long iteration, Set<Level> levels) {
    if (iteration <= reached) {
      return false;
    }
    Set<Level> extra = ordered.computeIfAbsent(iteration, i -> EnumSet.of(Level.DEVICE));
    extra.addAll(levels);
    if (ordered.size() > MOST_ORDERED) {
      ordered.pollLastEntry();
    }
    return true;
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

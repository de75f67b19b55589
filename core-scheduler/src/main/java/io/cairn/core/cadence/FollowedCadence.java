package io.cairn.core.cadence;

import io.cairn.core.model.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * A rank's side of its group's cadence in one epoch. A planned change counts only if no rank had
 * reached where it begins when it learned of it; a rank that gets there before it knows how that
 * ended is in doubt, and captures nothing until it knows: so no two ranks ever hold different
 * iterations for due. Thread-safe.
 */
public final class FollowedCadence {
  /** What was agreed, by where it begins; those before the one in force are forgotten. */
  private final Deque<CadencePlan> agreed = new ArrayDeque<>();

  private Optional<CadencePlan> planned = Optional.empty();
  private long newestSeen;
  private long reached = -1;

  /** Begins with what the group had agreed when the epoch began. */
  public FollowedCadence(CadencePlan plan) {
    agreed.add(plan);
    newestSeen = plan.version();
  }

  /**
   * Which levels an iteration is due at.
   *
   * @param levels if in doubt, all that it may be due at
   * @param inDoubt whether that is open, and nothing of this iteration can be kept
   */
  public record Due(Set<Level> levels, boolean inDoubt) {
    /** Copies the set. */
    public Due {
      levels = Set.copyOf(levels);
    }
  }

  /** This rank is at an iteration. Iterations rise. */
  public synchronized Due reach(long iteration) {
    reached = Math.max(reached, iteration);
    while (agreed.size() > 1 && second().fromIteration() <= iteration) {
      agreed.removeFirst();
    }
    boolean inDoubt = planned.filter(next -> iteration >= next.fromIteration()).isPresent();
    Set<Level> levels = EnumSet.noneOf(Level.class);
    for (Level level : Level.values()) {
      if (agreed.getFirst().due(level, iteration)
          || (inDoubt && planned.filter(next -> next.due(level, iteration)).isPresent())) {
        levels.add(level);
      }
    }
    return new Due(levels, inDoubt);
  }

  private CadencePlan second() {
    Iterator<CadencePlan> plans = agreed.iterator();
    plans.next();
    return plans.next();
  }

  /**
   * Takes a planned change; one that comes again is answered as before.
   *
   * @return whether it came before this rank reached where it begins
   */
  public synchronized boolean plan(CadencePlan next) {
    if (next.version() > newestSeen) {
      newestSeen = next.version();
      planned = next.fromIteration() > reached ? Optional.of(next) : Optional.empty();
    }
    return planned.equals(Optional.of(next)) || agreed.contains(next);
  }

  /** Takes the group's word on a planned change. */
  public synchronized void decided(long version, boolean adopted) {
    if (planned.filter(next -> next.version() == version).isPresent()) {
      if (adopted) {
        planned.ifPresent(agreed::addLast);
      }
      planned = Optional.empty();
    }
  }

  /** A change whose outcome this rank does not know, for which it may be in doubt. */
  public synchronized Optional<CadencePlan> undecided() {
    return planned;
  }
}

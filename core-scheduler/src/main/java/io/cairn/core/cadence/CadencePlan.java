package io.cairn.core.cadence;

import io.cairn.Level;
import io.cairn.core.model.LevelSpec;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The cadence that the coordinator of a group decides: the period of each level in iterations. The
 * periods count from the plan's first iteration, which is due at every level in use. For earlier
 * iterations the previous plan is in force. Immutable; the same for every rank of a group.
 *
 * @param version rises with every decision of a coordinator; 0 for the initial plan
 * @param fromIteration the first iteration of the plan
 * @param periods iterations per level; a level that is not in use has none
 */
public record CadencePlan(long version, long fromIteration, Map<Level, Long> periods) {
  /** Checks that each period is a multiple of that of the level below. */
  public CadencePlan {
    if (version < 0 || fromIteration < 0) {
      throw new IllegalArgumentException(
          "plan " + version + " from iteration " + fromIteration + ": neither may be negative");
    }
    if (periods.isEmpty()) {
      throw new IllegalArgumentException("plan " + version + " uses no level");
    }
    periods = Collections.unmodifiableMap(new EnumMap<>(periods));
    long below = 1;
    for (long period : periods.values()) {
      if (period < 1 || period % below != 0) {
        throw new IllegalArgumentException(
            "each level reads from the one below, so its period must be a multiple: " + periods);
      }
      below = period;
    }
  }

  /**
   * A plan from iteration 0. Iteration 0 is due at every level, so a store that does not work is
   * noticed at once and not after hours.
   *
   * @param periods of the levels that every process has, the lowest first
   */
  public static CadencePlan every(long... periods) {
    Map<Level, Long> byLevel = new EnumMap<>(Level.class);
    List<LevelSpec> levels = LevelSpec.ALL.stream().filter(LevelSpec::always).toList();
    if (periods.length != levels.size()) {
      throw new IllegalArgumentException(
          periods.length + " periods: every process has " + levels.size() + " levels");
    }
    for (int index = 0; index < periods.length; index++) {
      byLevel.put(levels.get(index).level(), periods[index]);
    }
    return new CadencePlan(0, 0, byLevel);
  }

  /** The same plan, in which this level has a period. */
  public CadencePlan with(Level level, long every) {
    Map<Level, Long> more = new EnumMap<>(periods);
    more.put(level, every);
    return new CadencePlan(version, fromIteration, more);
  }

  /** The same iterations with the earliest possible first iteration, for a new epoch. */
  public CadencePlan fromTheStart() {
    return new CadencePlan(version, fromIteration % patternIterations(), periods);
  }

  /** The period of the highest level in use: the pattern's length in iterations. */
  public long patternIterations() {
    return Collections.max(periods.values());
  }

  /** The levels in use, the lowest first. */
  public List<Level> levels() {
    return List.copyOf(periods.keySet());
  }

  /**
   * Whether this iteration is to be sealed at this level. An iteration due at a level is due at
   * every lower level in use, since each level reads from the one below. O(1).
   */
  public boolean due(Level level, long iteration) {
    Long every = periods.get(level);
    return every != null && Math.floorMod(iteration - fromIteration, every) == 0;
  }
}

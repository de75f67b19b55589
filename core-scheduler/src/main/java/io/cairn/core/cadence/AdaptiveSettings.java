package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;

import io.cairn.Level;
import io.cairn.core.model.LevelSpec;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Settings of an adaptive cadence.
 *
 * @param mtbfSeconds per level, the mean time between failures that it survives and the level below
 *     does not
 * @param stallBudget the part of the run time for which checkpoints may block the training
 * @param levels the levels in use
 * @param optional those of them that a plan may leave out
 * @param withinSeconds per bounded level, the age that its newest checkpoint may reach
 */
public record AdaptiveSettings(
    Map<Level, Double> mtbfSeconds,
    double stallBudget,
    Set<Level> levels,
    Set<Level> optional,
    Map<Level, Double> withinSeconds) {
  /** Checks every number by name. */
  public AdaptiveSettings {
    mtbfSeconds = Map.copyOf(mtbfSeconds);
    levels = Set.copyOf(levels);
    optional = Set.copyOf(optional);
    withinSeconds = WorkAtRisk.checked(withinSeconds);
    for (Level level : Level.values()) {
      Double mtbf = mtbfSeconds.get(level);
      if (mtbf == null || !(mtbf > 0) || Double.isInfinite(mtbf)) {
        throw new IllegalArgumentException(
            "the MTBF of " + level + " is " + mtbf + " s: it must be above 0 and finite");
      }
    }
    if (!(stallBudget > 0) || stallBudget > 1) {
      throw new IllegalArgumentException(
          "stallBudget is " + stallBudget + ": it must be above 0 and at most 1");
    }
    if (levels.isEmpty()) {
      throw new IllegalArgumentException("a cadence needs at least one level");
    }
    if (!levels.containsAll(optional) || optional.contains(highest(levels))) {
      throw new IllegalArgumentException(
          "of " + levels + ", the highest cannot be left out: " + optional);
    }
  }

  /**
   * The defaults of the settings: the MTBF of each level's line, and a stall budget of 1 %. No
   * level is bounded.
   *
   * @param levels the levels in use; each is needed
   */
  public static AdaptiveSettings defaults(Set<Level> levels) {
    Map<Level, Double> mtbf = new EnumMap<>(Level.class);
    LevelSpec.ALL.forEach(spec -> mtbf.put(spec.level(), spec.mtbf().toMillis() / 1e3));
    return new AdaptiveSettings(mtbf, 0.01, levels, Set.of(), Map.of());
  }

  private static Level highest(Set<Level> levels) {
    Level highest = Level.DEVICE;
    for (Level level : EnumSet.copyOf(levels)) {
      highest = level;
    }
    return highest;
  }

  /** The age that the newest checkpoint at a level may reach; infinite if it is not bounded. */
  double withinSeconds(Level level) {
    return withinSeconds.getOrDefault(level, Double.POSITIVE_INFINITY);
  }

  double mtbfSeconds(Level level) {
    return requireNonNull(mtbfSeconds.get(level));
  }
}

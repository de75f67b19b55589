package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;

import io.cairn.core.model.Level;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * What a user says to a cadence that adapts.
 *
 * @param mtbfSeconds per level, the mean time between failures that it survives and the one below
 *     does not
 * @param stallBudget the part of the run time that checkpoints may stop the training for
 * @param levels the levels in use
 * @param optional those of them that a plan may leave out
 */
public record AdaptiveSettings(
    Map<Level, Double> mtbfSeconds, double stallBudget, Set<Level> levels, Set<Level> optional) {
  /** Checks every number by name. */
  public AdaptiveSettings {
    mtbfSeconds = Map.copyOf(mtbfSeconds);
    levels = Set.copyOf(levels);
    optional = Set.copyOf(optional);
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

  /** The highest level in use. */
  public Level highest() {
    return highest(levels);
  }

  private static Level highest(Set<Level> levels) {
    Level highest = Level.DEVICE;
    for (Level level : EnumSet.copyOf(levels)) {
      highest = level;
    }
    return highest;
  }

  double mtbfSeconds(Level level) {
    return requireNonNull(mtbfSeconds.get(level));
  }
}

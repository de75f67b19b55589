package io.cairn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The place of a copy of a checkpoint, ordered by the failures that it survives. A failure of level
 * ℓ rolls a group back to its newest checkpoint sealed at a level ≥ ℓ.
 */
public enum Level {
  /** The executors' device caches: survives errors that leave the executors alive. Revocable. */
  DEVICE(1),
  /** Shared memory or disk of the node: survives the death of every process, not of the machine. */
  NODE(2),
  /** Other nodes: survives the loss of as many nodes as the redundancy scheme allows. */
  PEER(4),
  /** HDFS or any Hadoop file system: survives the loss of everything else. */
  STORE(8);

  /** Every set of levels, by the bits of its levels. */
  private static final List<Set<Level>> SETS = new ArrayList<>();

  private static final Level[] ALL = values();

  static {
    for (int bits = 0; bits < 1 << ALL.length; bits++) {
      Set<Level> levels = EnumSet.noneOf(Level.class);
      for (Level level : ALL) {
        if ((bits & level.bit) != 0) {
          levels.add(level);
        }
      }
      SETS.add(Collections.unmodifiableSet(levels));
    }
  }

  private final int bit;

  Level(int bit) {
    this.bit = bit;
  }

  /** The levels that satisfy a condition, in order, as a shared immutable set: allocates no set. */
  public static Set<Level> where(Predicate<Level> condition) {
    int bits = 0;
    for (Level level : ALL) {
      bits |= condition.test(level) ? level.bit : 0;
    }
    return SETS.get(bits);
  }
}

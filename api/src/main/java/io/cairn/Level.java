package io.cairn;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
  private static final List<Set<Level>> SETS =
      IntStream.range(0, 1 << values().length)
          .mapToObj(
              bits ->
                  Stream.of(values())
                      .filter(level -> (bits & level.bit) != 0)
                      .collect(Collectors.toCollection(() -> EnumSet.noneOf(Level.class))))
          .map(Collections::unmodifiableSet)
          .toList();

  private static final Level[] ALL = values();

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

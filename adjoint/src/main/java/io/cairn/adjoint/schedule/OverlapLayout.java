package io.cairn.adjoint.schedule;

/**
 * Which states the forward phase keeps, on which tiers, and how many slots of tier 0 stay spare for
 * steps that run again. A value, as long as nobody writes to its arrays.
 *
 * <p>The states of tier 0 are the last ones. They stay there until they are read; each other state
 * goes through tier 0 to its tier, and comes back to tier 0 before it is read.
 */
final class OverlapLayout {
  /** Steps before the last one, whose state lies in WORK when the forward phase ends. */
  final int reach;

  /** The kept states in rising order, the first one 0; empty if the program has one step. */
  final int[] starts;

  /** The tier of each. */
  final int[] tiers;

  /** Slots of tier 0 that no state on its way up takes. */
  final int spare;

  OverlapLayout(int reach, int[] starts, int[] tiers, int spare) {
    this.reach = reach;
    this.starts = starts;
    this.tiers = tiers;
    this.spare = spare;
  }

  /**
   * Spreads states over the steps at equal distances. Those that lie in spare slots are the last
   * ones, without a step between them.
   *
   * @param counts how many states each tier gets
   * @param slots of tier 0
   */
  static OverlapLayout spread(int reach, int[] counts, int slots, int spare) {
    int dense = dense(counts[0], slots, spare);
    int below = below(counts);
    int even = below + counts[0] - dense;
    int[] starts = new int[even + dense];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = i < even ? (int) ((long) i * (reach - dense) / even) : reach - starts.length + i;
    }
    return new OverlapLayout(reach, starts, tiers(counts, starts.length), spare);
  }

  /** The states that lie in spare slots when the forward phase ends. */
  static int dense(int staying, int slots, int spare) {
    return Math.max(0, staying - (slots - spare));
  }

  private static int below(int[] counts) {
    int below = 0;
    for (int tier = 1; tier < counts.length; tier++) {
      below += counts[tier];
    }
    return below;
  }

  /** Lower tiers take states in turn, each as often as its share says. */
  static int[] tiers(int[] counts, int kept) {
    int[] tiers = new int[kept];
    int[] given = new int[counts.length];
    int below = below(counts);
    for (int i = 0; i < below; i++) {
      int next = 0;
      for (int tier = 1; tier < counts.length; tier++) {
        if (given[tier] < counts[tier] && (next == 0 || isBehind(counts, given, tier, next))) {
          next = tier;
        }
      }
      given[next]++;
      tiers[i] = next;
    }
    return tiers;
  }

  private static boolean isBehind(int[] counts, int[] given, int tier, int other) {
    return (2L * given[tier] + 1) * counts[other] < (2L * given[other] + 1) * counts[tier];
  }

  /** Steps from a kept state to the next one. */
  int gap(int i) {
    return (i + 1 < starts.length ? starts[i + 1] : reach) - starts[i];
  }
}

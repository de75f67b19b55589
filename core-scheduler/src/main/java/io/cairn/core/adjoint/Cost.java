package io.cairn.core.adjoint;

import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The work of a whole schedule, counted.
 *
 * @param advances forward steps outside reversals
 * @param writes of states to each tier
 * @param reads of states from each tier
 * @param peaks the most states that each tier holds at once
 */
public record Cost(long advances, List<Long> writes, List<Long> reads, List<Long> peaks) {
  /** Keeps copies of the lists. */
  public Cost {
    writes = List.copyOf(writes);
    reads = List.copyOf(reads);
    peaks = List.copyOf(peaks);
  }

  /**
   * Counts a schedule by running through all its actions.
   *
   * @param tiers of the schedule
   */
  public static Cost of(Iterator<Action> actions, int tiers) {
    long advances = 0;
    long[] writes = new long[tiers];
    long[] reads = new long[tiers];
    long[] held = new long[tiers];
    long[] peaks = new long[tiers];
    while (actions.hasNext()) {
      Action action = actions.next();
      if (action instanceof Action.Forward forward) {
        advances += forward.to() - forward.from();
        if (forward.restart()) {
          int tier = forward.tier();
          writes[tier]++;
          held[tier]++;
          peaks[tier] = Math.max(peaks[tier], held[tier]);
        }
      } else if (action instanceof Action.Copy copy) {
        reads[copy.tier()]++;
      } else if (action instanceof Action.Move move) {
        reads[move.tier()]++;
        held[move.tier()]--;
      }
    }
    return new Cost(advances, list(writes), list(reads), list(peaks));
  }

  private static List<Long> list(long[] values) {
    return LongStream.of(values).boxed().toList();
  }

  /**
   * The price of all that was counted; reversals are not.
   *
   * @param tiers as many as were counted
   * @param forwardCost of one forward step
   * @throws ArithmeticException if it exceeds the range of a long
   */
  public long total(List<Tier> tiers, long forwardCost) {
    long total = Math.multiplyExact(advances, forwardCost);
    for (int i = 0; i < tiers.size(); i++) {
      long moved =
          Math.addExact(
              Math.multiplyExact(writes.get(i), tiers.get(i).writeCost()),
              Math.multiplyExact(reads.get(i), tiers.get(i).readCost()));
      total = Math.addExact(total, moved);
    }
    return total;
  }
}

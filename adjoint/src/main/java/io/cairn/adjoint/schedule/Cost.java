package io.cairn.adjoint.schedule;

import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The work of a whole schedule, counted.
 *
 * @param advances forward steps outside reversals
 * @param runs forward steps in all: a reversal runs its step once more, unless its tape was kept
 * @param writes of states and tapes to each tier
 * @param reads of states and tapes from each tier
 * @param peaks the most states and tapes that each tier holds at once
 */
public record Cost(
    long advances, long runs, List<Long> writes, List<Long> reads, List<Long> peaks) {
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
    Count count = new Count(tiers);
    actions.forEachRemaining(count::add);
    return count.cost();
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

  private static final class Count {
    private final long[] writes;
    private final long[] reads;
    private final long[] held;
    private final long[] peaks;
    private long advances;
    private long tapes;
    private long reversals;

    Count(int tiers) {
      writes = new long[tiers];
      reads = new long[tiers];
      held = new long[tiers];
      peaks = new long[tiers];
    }

    void add(Action action) {
      if (action instanceof Action.Forward forward) {
        long steps = forward.to() - forward.from();
        advances += steps;
        tapes += forward.tape() ? steps : 0;
        keep(forward.tier(), (forward.restart() ? 1 : 0) + (forward.tape() ? steps : 0));
      } else if (action instanceof Action.Copy copy) {
        reads[copy.tier()]++;
      } else if (action instanceof Action.Move move) {
        reads[move.tier()]++;
        held[move.tier()]--;
      } else if (action instanceof Action.Delete delete) {
        held[delete.tier()]--;
      } else if (action instanceof Action.Reverse) {
        reversals++;
      }
    }

    private void keep(int tier, long kept) {
      if (kept > 0) {
        writes[tier] += kept;
        held[tier] += kept;
        peaks[tier] = Math.max(peaks[tier], held[tier]);
      }
    }

    Cost cost() {
      // Each kept tape serves one reversal.
      long runs = advances + reversals - tapes;
      return new Cost(advances, runs, list(writes), list(reads), list(peaks));
    }
  }
}

package io.cairn.adjoint.history;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The reads to come, as numbers that rise. Not thread-safe. */
sealed interface Reads {
  /** The number of a read that never comes. */
  long NEVER = Long.MAX_VALUE;

  /** The number of the next read of a step. */
  long next(long step);

  /** The step of a read; -1 if the numbers end before it. */
  long step(long number);

  /** The number of the first read to come. */
  long first();

  /** A step is read now. */
  void read(long step);

  /** A step is stored now. */
  void stored(long step);

  /** The highest step first. */
  final class Reverse implements Reads {
    private static final long STEP_0 = Long.MAX_VALUE / 2;
    private long first = STEP_0;

    @Override
    public long next(long step) {
      return STEP_0 - step;
    }

    @Override
    public long step(long number) {
      return number > STEP_0 ? -1 : STEP_0 - number;
    }

    @Override
    public long first() {
      return first;
    }

    @Override
    public void read(long step) {
      first = next(step) + 1;
    }

    @Override
    public void stored(long step) {
      first = Math.min(first, next(step));
    }
  }

  /** A list of steps. */
  final class Listed implements Reads {
    private final long[] steps;
    private final int[] nextSame;
    private final Map<Long, Integer> next = new HashMap<>();
    private int first;

    Listed(long[] steps) {
      this.steps = steps.clone();
      nextSame = new int[steps.length];
      Arrays.fill(nextSame, -1);
      for (int i = steps.length - 1; i >= 0; i--) {
        Integer later = next.put(steps[i], i);
        nextSame[i] = later == null ? -1 : later;
      }
    }

    @Override
    public long next(long step) {
      Integer number = next.get(step);
      return number == null ? NEVER : number;
    }

    @Override
    public long step(long number) {
      return number < steps.length ? steps[(int) number] : -1;
    }

    @Override
    public long first() {
      return first;
    }

    @Override
    public void read(long step) {
      Integer number = next.get(step);
      if (number != null) {
        first = Math.max(first, number + 1);
        if (nextSame[number] < 0) {
          next.remove(step);
        } else {
          next.put(step, nextSame[number]);
        }
      }
    }

    @Override
    public void stored(long step) {}
  }
}

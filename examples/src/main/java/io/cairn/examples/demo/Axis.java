package io.cairn.examples.demo;

import java.util.ArrayList;
import java.util.List;

/**
 * A linear axis from zero.
 *
 * @param last the greatest value
 * @param start where zero is, in pixels
 * @param end where {@code last} is; may be less than {@code start}
 */
record Axis(double last, double start, double end) {
  private static final double[] ROUND = {1, 2, 5, 10};

  Axis {
    if (!(last > 0)) {
      throw new IllegalArgumentException("an axis from 0 to " + last);
    }
  }

  double at(double value) {
    return start + (end - start) * value / last;
  }

  double at(long value) {
    return at((double) value);
  }

  /** Round values from zero on, at most {@code most} of them above zero. */
  List<Long> ticks(int most) {
    long step = step(most);
    List<Long> ticks = new ArrayList<>();
    for (long tick = 0; tick <= last; tick += step) {
      ticks.add(tick);
    }
    return ticks;
  }

  private long step(int most) {
    double power = Math.max(1, Math.pow(10, Math.floor(Math.log10(last / most))));
    for (double round : ROUND) {
      if (last / (round * power) <= most) {
        return (long) (round * power);
      }
    }
    throw new IllegalStateException("no step for " + last + " in " + most);
  }
}

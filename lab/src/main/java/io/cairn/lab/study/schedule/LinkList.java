package io.cairn.lab.study.schedule;

import io.cairn.core.flow.TopologyBuilder;
import java.util.Arrays;
import java.util.Locale;

/** Direct links that were read, before it is known how many devices there are. Not thread-safe. */
final class LinkList {
  private int[] from = new int[64];
  private int[] to = new int[64];
  private double[] rates = new double[64];
  private int count;

  void add(int sender, int receiver, double bytesPerSecond) {
    if (count == rates.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
      rates = Arrays.copyOf(rates, 2 * count);
    }
    from[count] = sender;
    to[count] = receiver;
    rates[count++] = bytesPerSecond;
  }

  /** Refuses two links of one pair: whether their rates add up, the writer must say. */
  void requireOnce() {
    long[] pairs = new long[count];
    Arrays.setAll(pairs, link -> (long) from[link] << 32 | to[link]);
    Arrays.sort(pairs);
    for (int link = 1; link < count; link++) {
      if (pairs[link] == pairs[link - 1]) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                " links %d to %d twice; give one link with the rate of both",
                pairs[link] >>> 32,
                (int) pairs[link]));
      }
    }
  }

  void addTo(TopologyBuilder builder) {
    for (int link = 0; link < count; link++) {
      builder.link(from[link], to[link], rates[link]);
    }
  }
}

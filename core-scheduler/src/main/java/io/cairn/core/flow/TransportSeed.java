package io.cairn.core.flow;

import java.util.Arrays;

/**
 * A first flow that ships most of what can be shipped. Senders with the least choice go first; each
 * fills its host link and takes the rest from the receivers with the most left, down to one level:
 * for equal rates that ships all that can be shipped (Gale and Ryser), for others it leaves little
 * to augment. O(senders × receivers); one thread.
 */
final class TransportSeed {
  private static final int LEVELS_TRIED = 3;

  private long[] order = new long[0];

  /** Replaces the flow. */
  void sow(Transport transport) {
    int senders = transport.senders;
    System.arraycopy(transport.spare, 0, transport.left, 0, transport.receivers);
    if (order.length < senders) {
      order = new long[senders];
    }
    for (int i = 0; i < senders; i++) {
      double host =
          Math.min(transport.need[i], transport.capacity(transport.hostRate[i], transport.time[i]));
      transport.toHost[i] = host;
      transport.excess[i] = transport.need[i] - host;
      double choice = transport.linkRates[i] * transport.time[i] / transport.excess[i];
      order[i] = ((long) Float.floatToIntBits((float) choice) << 32) | i; // NaN, for 0/0, is last
    }
    Arrays.sort(order, 0, senders);
    double level = 0;
    for (int k = 0; k < senders; k++) {
      level = row(transport, (int) order[k], level);
    }
  }

  /** Fills one row and returns the level that it found. */
  private static double row(Transport t, int i, double guess) {
    int row = i * t.receivers;
    double wanted = t.excess[i];
    if (t.excessOf(i) == 0) {
      Arrays.fill(t.flow, row, row + t.receivers, 0);
      return guess;
    }
    double level = level(t, i, wanted, guess);
    for (int j = 0; j < t.receivers; j++) {
      double units = Math.min(above(t, j, level), t.capacity(t.rate[row + j], t.time[i]));
      units = Math.min(units, wanted);
      t.flow[row + j] = units;
      t.left[j] -= units;
      wanted -= units;
    }
    for (int j = 0; j < t.receivers && wanted > 0; j++) {
      double room = t.capacity(t.rate[row + j], t.time[i]) - t.flow[row + j];
      double units = Math.min(wanted, Math.min(t.left[j], room));
      t.flow[row + j] += units;
      t.left[j] -= units;
      wanted -= units;
    }
    t.excess[i] = wanted;
    return level;
  }

  private static double above(Transport t, int j, double level) {
    double units = Math.max(0, t.left[j] - level);
    return t.whole ? Math.floor(units) : units;
  }

  /** A level above which about the wanted units are left, by Newton's steps from the last row's. */
  private static double level(Transport t, int i, double wanted, double guess) {
    if (wanted >= t.linkRates[i] * t.time[i]) {
      return 0;
    }
    int row = i * t.receivers;
    double level = guess;
    for (int tries = 0; tries < LEVELS_TRIED; tries++) {
      double units = 0;
      int sloping = 0;
      for (int j = 0; j < t.receivers; j++) {
        double over = t.left[j] - level;
        double capacity = t.rate[row + j] * t.time[i];
        if (over > 0) {
          units += Math.min(over, capacity);
          sloping += over < capacity ? 1 : 0;
        }
      }
      double off = units - wanted;
      if (Math.abs(off) <= 0.01 * wanted) {
        break;
      }
      level = Math.max(0, level + off / Math.max(1, sloping));
    }
    return level;
  }
}

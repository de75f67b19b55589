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
  private static final double CLOSE_ENOUGH = 0.2;

  private long[] order = new long[0];
  private double level;
  private int atLevel;

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
    level = highest(transport);
    atLevel = 1;
    for (int k = 0; k < senders; k++) {
      row(transport, (int) order[k]);
    }
  }

  private static double highest(Transport t) {
    double highest = 0;
    for (int j = 0; j < t.receivers; j++) {
      highest = Math.max(highest, t.spare[j]);
    }
    return highest;
  }

  private void row(Transport t, int i) {
    int row = i * t.receivers;
    double wanted = t.excess[i];
    if (t.excessOf(i) == 0) {
      Arrays.fill(t.flow, row, row + t.receivers, 0);
      return;
    }
    double down = wanted < t.linkRates[i] * t.time[i] ? lower(t, i, wanted) : 0;
    for (int j = 0; j < t.receivers; j++) {
      double over = t.left[j] - down;
      double units = 0;
      if (over > 0) {
        double capacity = t.capacity(t.rate[row + j], t.time[i]);
        units = Math.min(wanted, Math.min(t.whole ? Math.floor(over) : over, capacity));
        t.left[j] -= units;
        wanted -= units;
      }
      t.flow[row + j] = units;
    }
    for (int j = 0; j < t.receivers && wanted > 0; j++) {
      double room = t.capacity(t.rate[row + j], t.time[i]) - t.flow[row + j];
      double units = Math.min(wanted, Math.min(t.left[j], room));
      t.flow[row + j] += units;
      t.left[j] -= units;
      wanted -= units;
    }
    t.excess[i] = wanted;
  }

  /**
   * A level above which about the wanted units are left. The last row left about so many receivers
   * at its level, which gives a guess; Newton's steps from there hit it well enough.
   */
  private double lower(Transport t, int i, double wanted) {
    int row = i * t.receivers;
    double seconds = t.time[i];
    double guess = Math.max(0, level - wanted / atLevel);
    for (int tries = 0; tries < LEVELS_TRIED; tries++) {
      double units = 0;
      int sloping = 0;
      for (int j = 0; j < t.receivers; j++) {
        double over = t.left[j] - guess;
        if (over > 0) {
          double capacity = t.rate[row + j] * seconds;
          units += Math.min(over, capacity);
          sloping += over < capacity ? 1 : 0;
        }
      }
      atLevel = Math.max(1, sloping);
      double off = units - wanted;
      guess = Math.max(0, guess + off / atLevel);
      if (Math.abs(off) <= CLOSE_ENOUGH * wanted) {
        break;
      }
    }
    level = guess;
    return guess;
  }
}

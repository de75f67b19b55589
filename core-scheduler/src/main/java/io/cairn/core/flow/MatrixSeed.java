package io.cairn.core.flow;

import java.util.Arrays;

/**
 * A first flow that is nearly a maximum. Senders with the least choice go first. Each fills its
 * host link, and then the receivers with the most spare left, down to one level. For equal rates
 * that is a maximum flow (Gale and Ryser); otherwise little is left to augment. O(senders ×
 * receivers); one thread.
 */
final class MatrixSeed {
  private static final int LEVELS_TRIED = 3;
  private static final double CLOSE_ENOUGH = 0.2;

  private long[] order = new long[0];
  private double level;
  private int atLevel;

  /** Replaces the flow. */
  void sow(MatrixFlow matrix) {
    int senders = matrix.senders;
    System.arraycopy(matrix.spare, 0, matrix.left, 0, matrix.receivers);
    if (order.length < senders) {
      order = new long[senders];
    }
    for (int i = 0; i < senders; i++) {
      double host = Math.min(matrix.need[i], matrix.capacity(matrix.hostRate[i], matrix.time[i]));
      matrix.toHost[i] = host;
      matrix.excess[i] = matrix.need[i] - host;
      double choice = matrix.linkRates[i] * matrix.time[i] / matrix.excess[i];
      order[i] = ((long) Float.floatToIntBits((float) choice) << 32) | i; // NaN, for 0/0, is last
    }
    Arrays.sort(order, 0, senders);
    level = highest(matrix);
    atLevel = 1;
    for (int k = 0; k < senders; k++) {
      row(matrix, (int) order[k]);
    }
  }

  private static double highest(MatrixFlow m) {
    double highest = 0;
    for (int j = 0; j < m.receivers; j++) {
      highest = Math.max(highest, m.spare[j]);
    }
    return highest;
  }

  private void row(MatrixFlow m, int i) {
    int row = i * m.receivers;
    double wanted = m.excess[i];
    if (m.excessOf(i) == 0) {
      Arrays.fill(m.flow, row, row + m.receivers, 0);
      return;
    }
    double down = wanted < m.linkRates[i] * m.time[i] ? lower(m, i, wanted) : 0;
    for (int j = 0; j < m.receivers; j++) {
      double over = m.left[j] - down;
      double units = 0;
      if (over > 0) {
        double capacity = m.capacity(m.rate[row + j], m.time[i]);
        units = Math.min(wanted, Math.min(m.whole ? Math.floor(over) : over, capacity));
        m.left[j] -= units;
        wanted -= units;
      }
      m.flow[row + j] = units;
    }
    for (int j = 0; j < m.receivers && wanted > 0; j++) {
      double room = m.capacity(m.rate[row + j], m.time[i]) - m.flow[row + j];
      double units = Math.min(wanted, Math.min(m.left[j], room));
      m.flow[row + j] += units;
      m.left[j] -= units;
      wanted -= units;
    }
    m.excess[i] = wanted;
  }

  /**
   * A level of spare above which about the wanted units remain. The level of the previous row gives
   * a first guess, which Newton's steps improve.
   */
  private double lower(MatrixFlow m, int i, double wanted) {
    int row = i * m.receivers;
    double seconds = m.time[i];
    double guess = Math.max(0, level - wanted / atLevel);
    for (int tries = 0; tries < LEVELS_TRIED; tries++) {
      double units = 0;
      int sloping = 0;
      for (int j = 0; j < m.receivers; j++) {
        double over = m.left[j] - guess;
        if (over > 0) {
          double capacity = m.rate[row + j] * seconds;
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

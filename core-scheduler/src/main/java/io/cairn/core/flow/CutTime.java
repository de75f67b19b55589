package io.cairn.core.flow;

import java.util.Arrays;

/**
 * The least time at which a cut carries a number of units. In bytes it is the units over the summed
 * rates. In whole chunks it is the least t with Σ⌊rate·t⌋ at least the units, which is a moment at
 * which some capacity completes a chunk. Expected time linear in the number of capacities; keeps
 * its arrays from call to call; one thread.
 */
final class CutTime {
  /** Makes up for the rounding of rate × (chunks ÷ rate). */
  static final double ROUNDING = 1 + 1e-12;

  private double[] rates = new double[64];
  private double[] moments = new double[64];
  private int count;
  private double sum;

  void begin() {
    count = 0;
    sum = 0;
  }

  /** Adds a capacity that crosses the cut. */
  void add(double rate) {
    if (rate > 0) {
      if (count == rates.length) {
        rates = Arrays.copyOf(rates, 2 * count);
      }
      rates[count++] = rate;
      sum += rate;
    }
  }

  /** Units per time over all capacities. */
  double sum() {
    return sum;
  }

  /** Whether some capacity completes a whole unit at this time. */
  boolean isMoment(double time) {
    for (int i = 0; i < count; i++) {
      double units = rates[i] * time;
      if (units >= 0.5 && Math.abs(units - Math.rint(units)) <= 1e-9 * units) {
        return true;
      }
    }
    return false;
  }

  /** The time for so many units, above 0, that may be divided. */
  double ofFluid(double units) {
    return units / sum;
  }

  /** The time for so many whole units, above 0. */
  double ofWhole(double units) {
    double low = 0;
    double high = units / sum; // no whole unit arrives before the fluid ones do
    double missing = units - carried(high);
    if (missing <= 0) {
      return lastMoment(high);
    }
    while (missing > 0) { // most of the way by the mean density of moments, never past the end
      low = high;
      high = low + Math.max(missing * 0.9, 1) / sum;
      missing = units - carried(high);
    }
    return nthMoment(low, high, units - carried(low));
  }

  private double carried(double time) {
    double units = 0;
    for (int i = 0; i < count; i++) {
      units += Math.floor(rates[i] * time * ROUNDING);
    }
    return units;
  }

  /** The last moment up to {@code time} at which a capacity completes a unit. */
  private double lastMoment(double time) {
    double last = 0;
    for (int i = 0; i < count; i++) {
      last = Math.max(last, Math.floor(rates[i] * time * ROUNDING) / rates[i]);
    }
    return last;
  }

  /** The n-th moment after {@code low}, known to be at most {@code high}. */
  private double nthMoment(double low, double high, double n) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      double last = Math.floor(rates[i] * high * ROUNDING);
      for (double k = Math.floor(rates[i] * low * ROUNDING) + 1; k <= last; k++) {
        if (found == moments.length) {
          moments = Arrays.copyOf(moments, 2 * found);
        }
        moments[found++] = k / rates[i];
      }
    }
    return select(found, (int) n - 1);
  }

  /** Hoare's selection of the k-th smallest moment. */
  private double select(int found, int k) {
    int left = 0;
    int right = found - 1;
    while (left < right) {
      double pivot = moments[(left + right) >>> 1];
      int i = left;
      int j = right;
      while (i <= j) {
        while (moments[i] < pivot) {
          i++;
        }
        while (moments[j] > pivot) {
          j--;
        }
        if (i <= j) {
          double swap = moments[i];
          moments[i++] = moments[j];
          moments[j--] = swap;
        }
      }
      if (k <= j) {
        right = j;
      } else if (k >= i) {
        left = i;
      } else {
        break;
      }
    }
    return moments[k];
  }
}

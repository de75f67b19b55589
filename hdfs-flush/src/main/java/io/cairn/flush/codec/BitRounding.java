package io.cairn.flush.codec;

import io.cairn.ErrorBound;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Rounds floating-point numbers to fewer significant bits, within a bound of the error. The result
 * is an ordinary number whose last bits are zero, so it compresses well and needs no decoder.
 * Rounding twice gives the same as rounding once. Immutable.
 *
 * <p>NaNs, infinities and numbers that would overflow stay as they are, and every number keeps its
 * sign. Under a relative bound subnormal numbers stay as they are, too.
 *
 * <p>After M. Klöwer et al., <i>Compressing atmospheric data into its real information content</i>,
 * Nature Computational Science 1 (2021), and C. S. Zender, <i>Bit Grooming</i>, Geoscientific Model
 * Development 9 (2016).
 */
public final class BitRounding {
  private final Rounding rounding;

  private BitRounding(Rounding rounding) {
    this.rounding = rounding;
  }

  /** The rounding of floats, or of doubles, within a bound. */
  public static BitRounding of(boolean doubles, ErrorBound bound) {
    if (bound.relative()) {
      int kept = keptBits(bound.bound());
      return new BitRounding(doubles ? new DoubleMantissa(kept) : new FloatMantissa(kept));
    }
    double step = step(bound.bound());
    return new BitRounding(doubles ? new DoubleSteps(step) : new FloatSteps(step));
  }

  /**
   * Rounds numbers in place, in the order of this machine's bytes. Bytes after the last whole
   * number stay as they are. O(bytes).
   *
   * @param bytes from index {@code from} to {@code to}; position, limit and order are unchanged
   */
  public void round(ByteBuffer bytes, int from, int to) {
    ByteOrder order = bytes.order();
    try {
      rounding.round(bytes.order(ByteOrder.nativeOrder()), from, to);
    } finally {
      bytes.order(order);
    }
  }

  /** Rounds numbers of one kind. */
  private sealed interface Rounding {
    void round(ByteBuffer numbers, int from, int to);
  }

  /** The greatest power of two that is at most twice the bound. */
  private static double step(double bound) {
    return Math.scalb(1.0, Math.min(Double.MAX_EXPONENT, Math.getExponent(bound) + 1));
  }

  /** The fewest bits of a mantissa whose rounding keeps the bound: half of the last one does. */
  private static int keptBits(double bound) {
    return -Math.getExponent(bound) - 1;
  }

  /**
   * Floats become multiples of a step.
   *
   * @param step a power of two
   * @param limit from which on every float is a multiple of the step
   */
  private record FloatSteps(double step, double limit) implements Rounding {
    FloatSteps(double step) {
      this(step, step * (1 << 23));
    }

    @Override
    public void round(ByteBuffer numbers, int from, int to) {
      for (int at = from; at <= to - Float.BYTES; at += Float.BYTES) {
        float number = numbers.getFloat(at);
        if (Math.abs(number) < limit) {
          float rounded = (float) (Math.rint(number / step) * step);
          if (Float.isFinite(rounded)) {
            numbers.putFloat(at, rounded);
          }
        }
      }
    }
  }

  /** Doubles become multiples of a step; as for floats. */
  private record DoubleSteps(double step, double limit) implements Rounding {
    DoubleSteps(double step) {
      this(step, step * (1L << 52));
    }

    @Override
    public void round(ByteBuffer numbers, int from, int to) {
      for (int at = from; at <= to - Double.BYTES; at += Double.BYTES) {
        double number = numbers.getDouble(at);
        if (Math.abs(number) < limit) {
          double rounded = Math.rint(number / step) * step;
          if (Double.isFinite(rounded)) {
            numbers.putDouble(at, rounded);
          }
        }
      }
    }
  }

  /**
   * Floats keep the first bits of their mantissa.
   *
   * @param kept how many
   */
  private record FloatMantissa(int kept) implements Rounding {
    private static final int MANTISSA = 23;
    private static final int EXPONENT = 0x7f800000;

    @Override
    public void round(ByteBuffer numbers, int from, int to) {
      int dropped = MANTISSA - kept;
      if (dropped <= 0) {
        return;
      }
      for (int at = from; at <= to - Float.BYTES; at += Float.BYTES) {
        int number = numbers.getInt(at);
        int exponent = number & EXPONENT;
        if (exponent != 0 && exponent != EXPONENT) {
          int rounded = nearest(number, dropped);
          if ((rounded & EXPONENT) != EXPONENT) {
            numbers.putInt(at, rounded);
          }
        }
      }
    }

    /** A carry out of the mantissa gives the next power of two; ties go to even. */
    private static int nearest(int number, int dropped) {
      int half = (1 << (dropped - 1)) - 1 + ((number >>> dropped) & 1);
      return (number + half) & -(1 << dropped);
    }
  }

  /** Doubles keep the first bits of their mantissa; as for floats. */
  private record DoubleMantissa(int kept) implements Rounding {
    private static final int MANTISSA = 52;
    private static final long EXPONENT = 0x7ff0000000000000L;

    @Override
    public void round(ByteBuffer numbers, int from, int to) {
      int dropped = MANTISSA - kept;
      if (dropped <= 0) {
        return;
      }
      for (int at = from; at <= to - Double.BYTES; at += Double.BYTES) {
        long number = numbers.getLong(at);
        long exponent = number & EXPONENT;
        if (exponent != 0 && exponent != EXPONENT) {
          long rounded = nearest(number, dropped);
          if ((rounded & EXPONENT) != EXPONENT) {
            numbers.putLong(at, rounded);
          }
        }
      }
    }

    private static long nearest(long number, int dropped) {
      long half = (1L << (dropped - 1)) - 1 + ((number >>> dropped) & 1);
      return (number + half) & -(1L << dropped);
    }
  }
}

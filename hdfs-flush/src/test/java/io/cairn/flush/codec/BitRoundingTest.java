package io.cairn.flush.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cairn.ErrorBound;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeded numbers of every magnitude, and all that are special, under bounds of every magnitude. */
class BitRoundingTest {
  private static final int NUMBERS = 5_000;
  private static final double[] SPECIAL = {
    0.0,
    -0.0,
    1.0,
    -1.5,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MIN_NORMAL,
    Math.nextDown(Float.MIN_NORMAL),
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Math.nextDown(Double.MIN_NORMAL),
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };

  private static ErrorBound bound(SplittableRandom random, boolean relative) {
    double mantissa = 1 + random.nextDouble();
    return relative
        ? ErrorBound.relative(Math.scalb(mantissa, -2 - random.nextInt(60)))
        : ErrorBound.absolute(Math.scalb(mantissa, random.nextInt(2045) - 1022));
  }

  /** Any bits at all, ordinary numbers, or neighbours of the bound. */
  private static double number(SplittableRandom random, double near, int i) {
    if (i < SPECIAL.length) {
      return SPECIAL[i];
    }
    return switch (random.nextInt(4)) {
      case 0 -> Double.longBitsToDouble(random.nextLong());
      case 1 -> Float.intBitsToFloat(random.nextInt());
      case 2 -> near * (random.nextInt(2001) - 1000) / 4;
      default -> random.nextDouble() * 2 - 1;
    };
  }

  private static ByteBuffer numbers(SplittableRandom random, boolean doubles, double near) {
    ByteBuffer numbers = ByteBuffer.allocateDirect(NUMBERS * (doubles ? 8 : 4));
    numbers.order(ByteOrder.nativeOrder());
    for (int i = 0; i < NUMBERS; i++) {
      double number = number(random, near, i);
      if (doubles) {
        numbers.putDouble(number);
      } else {
        numbers.putFloat((float) number);
      }
    }
    return numbers.flip();
  }

  private static double at(ByteBuffer numbers, boolean doubles, int i) {
    return doubles ? numbers.getDouble(8 * i) : numbers.getFloat(4 * i);
  }

  private static ByteBuffer copy(ByteBuffer numbers) {
    return ByteBuffer.allocateDirect(numbers.limit())
        .put(numbers.duplicate())
        .flip()
        .order(ByteOrder.nativeOrder());
  }

  /** Cheap, since it is asked of millions of numbers. */
  private static boolean isWithin(ErrorBound bound, double before, double after) {
    if (!Double.isFinite(before)) {
      return Double.compare(before, after) == 0;
    }
    double most = bound.relative() ? bound.bound() * Math.abs(before) : bound.bound();
    return Math.abs(before - after) <= most && Math.copySign(1, after) == Math.copySign(1, before);
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void keepsEveryBoundAndRoundsOnce(boolean doubles, boolean relative) {
    for (long seed = 1; seed <= 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ErrorBound bound = bound(random, relative);
      ByteBuffer exact = numbers(random, doubles, bound.bound());
      ByteBuffer rounded = copy(exact);
      BitRounding rounding = BitRounding.of(doubles, bound);

      rounding.round(rounded, 0, rounded.limit());

      for (int i = 0; i < NUMBERS; i++) {
        double before = at(exact, doubles, i);
        double after = at(rounded, doubles, i);
        if (!isWithin(bound, before, after)) {
          fail("seed %d, %s, number %d: %s became %s", seed, bound, i, before, after);
        }
      }
      ByteBuffer again = copy(rounded);
      rounding.round(again, 0, again.limit());
      assertThat(again).as("seed %d, %s", seed, bound).isEqualTo(rounded);
    }
  }

  /** Payloads of NaNs, too, stay bit for bit. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void leavesNansAsTheyAre(boolean relative) {
    ByteBuffer nans = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
    nans.putInt(0x7f800001).putInt(0xffc12345).putLong(0xfff0000000000001L).flip();
    ByteBuffer before = copy(nans);

    ErrorBound bound = relative ? ErrorBound.relative(0.25) : ErrorBound.absolute(1e9);
    BitRounding.of(false, bound).round(nans, 0, 8);
    BitRounding.of(true, bound).round(nans, 8, 16);

    assertThat(nans).isEqualTo(before);
  }

  /** A bound that is no power of two uses the next step below it, and no smaller one. */
  @ParameterizedTest
  @CsvSource({"0.001, 0.001953125", "0.5, 1", "0.75, 1", "100, 128"})
  void roundsAsFarAsABoundAllows(double bound, double step) {
    SplittableRandom random = new SplittableRandom(5);
    ByteBuffer numbers = ByteBuffer.allocate(4_000).order(ByteOrder.nativeOrder());
    double most = 0;
    for (int i = 0; i < 1_000; i++) {
      numbers.putFloat(4 * i, (float) (random.nextDouble() * 8 * step));
    }
    ByteBuffer exact = copy(numbers);

    BitRounding.of(false, ErrorBound.absolute(bound)).round(numbers, 0, 4_000);

    for (int i = 0; i < 1_000; i++) {
      assertThat(numbers.getFloat(4 * i) % step).isZero();
      most = Math.max(most, Math.abs(numbers.getFloat(4 * i) - (double) exact.getFloat(4 * i)));
    }
    assertThat(most).isBetween(step * 0.45, step / 2);
  }

  @ParameterizedTest
  @CsvSource({"0.01, 6", "0.001, 9", "0.25, 1"})
  void keepsNoMoreBitsThanARelativeBoundNeeds(double bound, int bits) {
    SplittableRandom random = new SplittableRandom(5);
    ByteBuffer numbers = ByteBuffer.allocate(4_000).order(ByteOrder.nativeOrder());
    for (int i = 0; i < 1_000; i++) {
      numbers.putFloat(4 * i, (float) random.nextDouble());
    }

    BitRounding.of(false, ErrorBound.relative(bound)).round(numbers, 0, 4_000);

    for (int i = 0; i < 1_000; i++) {
      assertThat(numbers.getInt(4 * i) & ((1 << (23 - bits)) - 1)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void touchesNothingOutsideItsSpan(boolean doubles) {
    ByteBuffer bytes = ByteBuffer.allocate(40);
    for (int i = 0; i < 40; i++) {
      bytes.put(i, (byte) 0x3f);
    }
    BitRounding.of(doubles, ErrorBound.absolute(0.125)).round(bytes.position(3).limit(37), 8, 26);

    for (int i = 0; i < 40; i++) {
      if (i < 8 || i >= 24) {
        assertThat(bytes.array()[i]).as("byte %d", i).isEqualTo((byte) 0x3f);
      }
    }
    assertThat(bytes.array()[8]).isZero();
    assertThat(bytes.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(bytes.position()).isEqualTo(3);
  }
}

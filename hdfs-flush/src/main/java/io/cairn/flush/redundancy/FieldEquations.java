package io.cairn.flush.redundancy;

/**
 * Linear equations over the field of 256 elements with the polynomial 0x11d, in which a sum is an
 * exclusive or. Few and small, so each product is computed bit by bit. Stateless; thread-safe.
 */
final class FieldEquations {
  private static final int POLYNOMIAL = 0x11d;
  private static final int HIGH_BIT = 0x80;
  private static final int ELEMENTS = 256;

  private FieldEquations() {}

  /**
   * Solves as many equations as there are unknowns.
   *
   * @param rows each the coefficients of one equation and then its sum; they are overwritten
   * @return the unknowns
   * @throws IllegalArgumentException if the equations do not determine them
   */
  static byte[] solve(int[][] rows) {
    int unknowns = rows.length;
    for (int unknown = 0; unknown < unknowns; unknown++) {
      bringUp(rows, unknown);
      int[] row = rows[unknown];
      scale(row, inverse(row[unknown]));
      for (int[] other : rows) {
        if (other != row) {
          subtract(row, other[unknown], other);
        }
      }
    }
    byte[] found = new byte[unknowns];
    for (int unknown = 0; unknown < unknowns; unknown++) {
      found[unknown] = (byte) rows[unknown][unknowns];
    }
    return found;
  }

  /** Exchanges rows, so that the one of an unknown contains it. */
  private static void bringUp(int[][] rows, int unknown) {
    int with = unknown;
    while (with < rows.length && rows[with][unknown] == 0) {
      with++;
    }
    if (with == rows.length) {
      throw new IllegalArgumentException("the equations do not determine unknown " + unknown);
    }
    int[] row = rows[with];
    rows[with] = rows[unknown];
    rows[unknown] = row;
  }

  private static void scale(int[] row, int by) {
    for (int i = 0; i < row.length; i++) {
      row[i] = times(row[i], by);
    }
  }

  private static void subtract(int[] row, int times, int[] from) {
    for (int i = 0; i < row.length; i++) {
      from[i] ^= times(row[i], times);
    }
  }

  /** The product of two elements. */
  static int times(int one, int other) {
    int product = 0;
    for (int bit = HIGH_BIT; bit != 0; bit >>= 1) {
      product = (product & HIGH_BIT) == 0 ? product << 1 : product << 1 ^ POLYNOMIAL;
      product ^= (other & bit) == 0 ? 0 : one;
    }
    return product;
  }

  /** One divided by an element other than 0, which is its power by the elements less two. */
  static int inverse(int of) {
    int power = 1;
    for (int i = 0; i < ELEMENTS - 2; i++) {
      power = times(power, of);
    }
    return power;
  }
}

package io.cairn.cache.memory;

/**
 * The CRC32C of bytes that follow each other, from those of their parts. A checksum is a polynomial
 * over GF(2), with the coefficient of x<sup>0</sup> in its highest bit. To append n bytes
 * multiplies it by x<sup>8n</sup>, modulo the polynomial of CRC32C. Stateless.
 */
final class Crc32cSum {
  private static final int POLYNOMIAL = 0x82f63b78;
  private static final int ONE = 1 << 31;
  private static final int X = 1 << 30;

  /** x to the powers of 2: entry i is x<sup>2^i</sup>. */
  private static final int[] POWERS = powers();

  private Crc32cSum() {}

  /**
   * The checksum of two parts. O(log bytes), some hundred operations each.
   *
   * @param bytes length of the second part, 0 or more
   */
  static int of(int first, int second, long bytes) {
    int shifted = first;
    long bits = Math.multiplyExact(bytes, (long) Byte.SIZE);
    for (int power = 0; bits != 0; power++, bits >>>= 1) {
      if ((bits & 1) != 0) {
        shifted = product(POWERS[power], shifted);
      }
    }
    return shifted ^ second;
  }

  private static int[] powers() {
    int[] powers = new int[Long.SIZE];
    powers[0] = X;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = product(powers[i - 1], powers[i - 1]);
    }
    return powers;
  }

  private static int product(int one, int other) {
    int sum = 0;
    int shifted = other;
    for (int coefficient = ONE; coefficient != 0; coefficient >>>= 1) {
      if ((one & coefficient) != 0) {
        sum ^= shifted;
      }
      shifted = (shifted & 1) == 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
    }
    return sum;
  }
}

package io.cairn.cache.memory;

import java.nio.ByteBuffer;

/**
 * Detects whether two direct buffers share memory. The JDK exposes only the lowest 30 bits of a
 * direct buffer's address, which leave a few distances at which two buffers could overlap. For each
 * distance, this class changes a byte through one buffer, reads it through the other, and restores
 * it.
 */
final class Aliasing {
  /** One more than the part of an address that is known. */
  static final int MODULUS = 1 << 30;

  private Aliasing() {}

  static boolean share(ByteBuffer a, ByteBuffer b) {
    if (a.capacity() == 0 || b.capacity() == 0) {
      return false;
    }
    long low = (long) lowBits(b) - lowBits(a);
    for (long distance = low - 3L * MODULUS; distance < 3L * MODULUS; distance += MODULUS) {
      // if b starts distance bytes after a, this is the first byte of both
      long inA = Math.max(0, distance);
      long inB = inA - distance;
      if (inA < a.capacity() && inB < b.capacity() && same(a, (int) inA, b, (int) inB)) {
        return true;
      }
    }
    return false;
  }

  /** A direct buffer's address, modulo {@link #MODULUS}. */
  static int lowBits(ByteBuffer buffer) {
    return buffer.alignmentOffset(0, MODULUS);
  }

  private static boolean same(ByteBuffer a, int inA, ByteBuffer b, int inB) {
    byte before = a.get(inA);
    if (b.get(inB) != before) {
      return false;
    }
    a.put(inA, (byte) ~before);
    boolean seen = b.get(inB) == (byte) ~before;
    a.put(inA, before);
    return seen;
  }
}

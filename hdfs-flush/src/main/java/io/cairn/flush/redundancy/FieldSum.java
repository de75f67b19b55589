package io.cairn.flush.redundancy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Sums of multiples of pieces, byte by byte, in the field of 256 elements with the polynomial
 * 0x11d. Works on eight bytes at a time, in loops over arrays that the compiler turns into vector
 * instructions, and on blocks that stay in the processor's nearest cache. Not thread-safe.
 */
final class FieldSum {
  private static final int LONGS = 512;
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long BUT_HIGH_BITS = 0x7f7f7f7f7f7f7f7fL;

  private final long[] sum = new long[LONGS];
  private final long[][] blocks;

  /** For sums of so many pieces. */
  FieldSum(int pieces) {
    blocks = new long[pieces][LONGS];
  }

  /**
   * Computes a sum.
   *
   * @param pieces with equal numbers of remaining bytes; their positions stay
   * @param factors of the pieces
   * @param into receives as many bytes; its position advances
   */
  void compute(List<ByteBuffer> pieces, byte[] factors, ByteBuffer into) {
    int bytes = pieces.get(0).remaining();
    List<ByteBuffer> from =
        pieces.stream().map(piece -> piece.slice().order(ByteOrder.nativeOrder())).toList();
    ByteBuffer to = into.slice().order(ByteOrder.nativeOrder());
    for (int at = 0; at < bytes; at += LONGS * Long.BYTES) {
      int length = Math.min(LONGS * Long.BYTES, bytes - at);
      for (int piece = 0; piece < blocks.length; piece++) {
        read(from.get(piece), at, length, blocks[piece]);
      }
      add(factors, (length + Long.BYTES - 1) / Long.BYTES);
      write(to, at, length);
    }
    into.position(into.position() + bytes);
  }

  /** The bits of all factors from the highest on: each step doubles the sum so far. */
  private void add(byte[] factors, int longs) {
    Arrays.fill(sum, 0, longs, 0);
    for (int bit = Byte.SIZE - 1; bit >= 0; bit--) {
      twice(sum, longs);
      for (int piece = 0; piece < blocks.length; piece++) {
        if ((factors[piece] & 1 << bit) != 0) {
          add(blocks[piece], sum, longs);
        }
      }
    }
  }

  /** A byte that loses its highest bit changes by the polynomial, 0x1d. */
  private static void twice(long[] sum, int longs) {
    for (int i = 0; i < longs; i++) {
      long high = sum[i] >>> 7 & LOW_BITS;
      sum[i] = (sum[i] & BUT_HIGH_BITS) << 1 ^ high ^ high << 2 ^ high << 3 ^ high << 4;
    }
  }

  private static void add(long[] piece, long[] sum, int longs) {
    for (int i = 0; i < longs; i++) {
      sum[i] ^= piece[i];
    }
  }

  private static void read(ByteBuffer from, int at, int length, long[] block) {
    int whole = length / Long.BYTES;
    from.slice(at, length).order(ByteOrder.nativeOrder()).asLongBuffer().get(block, 0, whole);
    if (whole * Long.BYTES < length) {
      block[whole] = 0;
      for (int tail = whole * Long.BYTES; tail < length; tail++) {
        block[whole] |= (from.get(at + tail) & 0xffL) << (Byte.SIZE * (tail % Long.BYTES));
      }
    }
  }

  private void write(ByteBuffer to, int at, int length) {
    int whole = length / Long.BYTES;
    to.slice(at, length).order(ByteOrder.nativeOrder()).asLongBuffer().put(sum, 0, whole);
    for (int tail = whole * Long.BYTES; tail < length; tail++) {
      to.put(at + tail, (byte) (sum[whole] >>> (Byte.SIZE * (tail % Long.BYTES))));
    }
  }
}

package io.cairn.cache.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * A buffer with a view of each numeric type over all of it, in native byte order. The views are
 * made once, so copies from and to arrays allocate nothing. They are shared: callers use only their
 * absolute methods. Safe for threads that touch different bytes.
 */
public final class NativeSpan {
  private final ByteBuffer bytes;
  private final ShortBuffer shorts;
  private final CharBuffer chars;
  private final IntBuffer ints;
  private final LongBuffer longs;
  private final FloatBuffer floats;
  private final DoubleBuffer doubles;

  /** A span over all of {@code buffer}, at any position; leaves the buffer as it is. */
  public NativeSpan(ByteBuffer buffer) {
    bytes = buffer.duplicate().clear().order(ByteOrder.nativeOrder());
    shorts = bytes.asShortBuffer();
    chars = bytes.asCharBuffer();
    ints = bytes.asIntBuffer();
    longs = bytes.asLongBuffer();
    floats = bytes.asFloatBuffer();
    doubles = bytes.asDoubleBuffer();
  }

  /** Length in bytes. */
  public int length() {
    return bytes.capacity();
  }

  /** All bytes; absolute methods only, or a duplicate. */
  public ByteBuffer bytes() {
    return bytes;
  }

  ShortBuffer shorts() {
    return shorts;
  }

  CharBuffer chars() {
    return chars;
  }

  IntBuffer ints() {
    return ints;
  }

  LongBuffer longs() {
    return longs;
  }

  FloatBuffer floats() {
    return floats;
  }

  DoubleBuffer doubles() {
    return doubles;
  }
}

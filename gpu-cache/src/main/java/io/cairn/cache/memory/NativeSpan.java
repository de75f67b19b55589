package io.cairn.cache.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer with a view of each numeric type over all of it, in native byte order. The views are
 * made once, so copies from and to arrays allocate nothing more. They are shared: callers use only
 * their absolute methods. Safe for threads that touch different bytes.
 */
public final class NativeSpan {
  private final ByteBuffer bytes;
  private final ShortBuffer shorts;
  private final CharBuffer chars;
  private final IntBuffer ints;
  private final LongBuffer longs;
  private final FloatBuffer floats;
  private final DoubleBuffer doubles;

  /** Views that begin 1 to 7 bytes later, each made at its first use; any of two made is right. */
  private final @Nullable NativeSpan[] later;

  /** A span over all of {@code buffer}, at any position; leaves the buffer as it is. */
  public NativeSpan(ByteBuffer buffer) {
    this(buffer, Long.BYTES);
  }

  private NativeSpan(ByteBuffer buffer, int alignments) {
    later = new NativeSpan[alignments];
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

  /**
   * The same bytes from a few on, so that elements at any place are indexes of a view.
   *
   * @param bytes 0 to 7
   */
  NativeSpan from(int bytes) {
    if (bytes == 0) {
      return this;
    }
    NativeSpan known = later[bytes];
    if (known == null) {
      known = new NativeSpan(this.bytes.slice(bytes, length() - bytes), 0);
      later[bytes] = known;
    }
    return known;
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

package io.cairn.cache.memory;

import java.nio.ByteBuffer;
import java.util.Objects;

/** A span of a primitive array; {@code start} and {@code length} are in elements. */
record ArrayMemory(ArrayKind kind, Object array, int start, int length) implements HostMemory {
  /** One element, of which a copy takes a part. */
  private static final ThreadLocal<NativeSpan> ELEMENT =
      ThreadLocal.withInitial(() -> new NativeSpan(ByteBuffer.allocateDirect(Long.BYTES)));

  @Override
  public long bytes() {
    return (long) length * kind.elementBytes();
  }

  @Override
  public void copyTo(long offset, NativeSpan target, int targetOffset, int bytes) {
    Objects.checkFromIndexSize(offset, bytes, bytes());
    Objects.checkFromIndexSize(targetOffset, bytes, target.length());
    int head = head(offset, bytes);
    int whole = whole(bytes - head);
    if (head > 0) {
      partTo(offset, target, targetOffset, head);
    }
    if (whole > 0) {
      int to = targetOffset + head;
      int size = kind.elementBytes();
      kind.put(target.from(to % size), to / size, array, element(offset + head), whole / size);
    }
    int tail = bytes - head - whole;
    if (tail > 0) {
      partTo(offset + head + whole, target, targetOffset + head + whole, tail);
    }
  }

  @Override
  public void copyFrom(long offset, NativeSpan source, int sourceOffset, int bytes) {
    Objects.checkFromIndexSize(offset, bytes, bytes());
    Objects.checkFromIndexSize(sourceOffset, bytes, source.length());
    int head = head(offset, bytes);
    int whole = whole(bytes - head);
    if (head > 0) {
      partFrom(offset, source, sourceOffset, head);
    }
    if (whole > 0) {
      int from = sourceOffset + head;
      int size = kind.elementBytes();
      kind.get(source.from(from % size), from / size, array, element(offset + head), whole / size);
    }
    int tail = bytes - head - whole;
    if (tail > 0) {
      partFrom(offset + head + whole, source, sourceOffset + head + whole, tail);
    }
  }

  /** How many bytes of a copy come before its first whole element. */
  private int head(long offset, int bytes) {
    int size = kind.elementBytes();
    int within = (int) (offset % size);
    return within == 0 ? 0 : Math.min(bytes, size - within);
  }

  /** How many of so many bytes are whole elements. */
  private int whole(int bytes) {
    return bytes - bytes % kind.elementBytes();
  }

  private int element(long offset) {
    return start + (int) (offset / kind.elementBytes());
  }

  /** Copies a part of one element. */
  private void partTo(long offset, NativeSpan target, int targetOffset, int bytes) {
    NativeSpan one = ELEMENT.get();
    kind.put(one, 0, array, element(offset), 1);
    int within = (int) (offset % kind.elementBytes());
    target.bytes().put(targetOffset, one.bytes(), within, bytes);
  }

  /** Writes a part of one element; another thread may write the rest of it meanwhile. */
  private synchronized void partFrom(long offset, NativeSpan source, int sourceOffset, int bytes) {
    NativeSpan one = ELEMENT.get();
    int element = element(offset);
    kind.put(one, 0, array, element, 1);
    int within = (int) (offset % kind.elementBytes());
    one.bytes().put(within, source.bytes(), sourceOffset, bytes);
    kind.get(one, 0, array, element, 1);
  }

  /** Whether both share a byte. */
  boolean shares(ArrayMemory that) {
    int first = Math.max(start, that.start);
    int end = Math.min(start + length, that.start + that.length);
    return array == that.array && first < end;
  }
}

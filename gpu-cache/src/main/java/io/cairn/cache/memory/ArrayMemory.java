package io.cairn.cache.memory;

import java.util.Objects;

/** A span of a primitive array; {@code start} and {@code length} are in elements. */
record ArrayMemory(ArrayKind kind, Object array, int start, int length) implements HostMemory {
  @Override
  public long bytes() {
    return (long) length * kind.elementBytes();
  }

  @Override
  public void copyTo(long offset, NativeSpan target, int targetOffset, int bytes) {
    int from = element(offset, targetOffset, bytes);
    int size = kind.elementBytes();
    kind.put(target, targetOffset / size, array, from, bytes / size);
  }

  @Override
  public void copyFrom(long offset, NativeSpan source, int sourceOffset, int bytes) {
    int to = element(offset, sourceOffset, bytes);
    int size = kind.elementBytes();
    kind.get(source, sourceOffset / size, array, to, bytes / size);
  }

  @Override
  public boolean overlaps(CaptureSource other) {
    return other instanceof ArrayMemory that
        && array == that.array
        && start < that.start + that.length
        && that.start < start + length;
  }

  private int element(long offset, int spanOffset, int bytes) {
    Objects.checkFromIndexSize(offset, bytes, bytes());
    int size = kind.elementBytes();
    if (offset % size != 0 || spanOffset % size != 0 || bytes % size != 0) {
      throw new IllegalArgumentException(
          "copy of "
              + bytes
              + " bytes from "
              + offset
              + " to "
              + spanOffset
              + " cuts an element of "
              + size
              + " bytes");
    }
    return start + (int) (offset / size);
  }
}

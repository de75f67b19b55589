package io.cairn.cache.memory;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * Native memory, seen through direct buffers: window {@code i} covers the bytes from {@code i *
 * windowBytes} on, since one buffer ends at 2 GB.
 */
final class BufferMemory implements HostMemory {
  private final List<ByteBuffer> windows;
  private final long windowBytes;
  private final long bytes;
  private final Object owner;

  BufferMemory(List<ByteBuffer> windows, long windowBytes, long bytes, Object owner) {
    this.windows = windows.stream().map(window -> window.duplicate().clear()).toList();
    this.windowBytes = Math.max(1, windowBytes);
    this.bytes = bytes;
    this.owner = owner;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void copyTo(long offset, NativeSpan target, int targetOffset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes);
    for (int done = 0; done < length; ) {
      ByteBuffer window = window(offset + done);
      int from = within(offset + done);
      int part = Math.min(length - done, window.capacity() - from);
      target.bytes().put(targetOffset + done, window, from, part);
      done += part;
    }
  }

  @Override
  public void copyFrom(long offset, NativeSpan source, int sourceOffset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes);
    for (int done = 0; done < length; ) {
      ByteBuffer window = window(offset + done);
      int to = within(offset + done);
      int part = Math.min(length - done, window.capacity() - to);
      window.put(to, source.bytes(), sourceOffset + done, part);
      done += part;
    }
  }

  /** Its direct buffers, from the first byte on. */
  List<ByteBuffer> windows() {
    return windows;
  }

  /** Whether both share a byte. */
  boolean shares(BufferMemory that) {
    for (ByteBuffer mine : windows) {
      for (ByteBuffer its : that.windows) {
        if (Aliasing.share(mine, its)) {
          return true;
        }
      }
    }
    return false;
  }

  private ByteBuffer window(long offset) {
    return windows.get((int) (offset / windowBytes));
  }

  private int within(long offset) {
    return (int) (offset % windowBytes);
  }

  @Override
  public String toString() {
    return bytes + " bytes of " + owner.getClass().getName();
  }
}

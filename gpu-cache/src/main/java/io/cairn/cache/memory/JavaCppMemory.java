package io.cairn.cache.memory;

import io.cairn.Region;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/** The only class that mentions JavaCPP, which is an optional dependency. */
final class JavaCppMemory {
  private static final long WINDOW_BYTES = 1L << 30;

  private JavaCppMemory() {}

  static HostMemory ofPointer(String name, Object memory) {
    Pointer pointer = (Pointer) memory;
    long elements = pointer.limit() - pointer.position();
    if (pointer.isNull() || pointer.limit() <= 0 || elements < 0) {
      throw HostMemoryKinds.unsupported(name, "a null Pointer or one without a limit");
    }
    long size = pointer.sizeof();
    return windows(pointer.address() + pointer.position() * size, elements * size, pointer);
  }

  /** Of a direct buffer of any elements, all of them. */
  @SuppressWarnings("resource") // the buffer owns the memory
  static HostMemory ofBuffer(Buffer buffer) {
    long address = new Pointer(buffer.duplicate().clear()).address();
    return windows(address, (long) buffer.capacity() * elementBytes(buffer), buffer);
  }

  private static int elementBytes(Buffer buffer) {
    if (buffer instanceof ShortBuffer || buffer instanceof CharBuffer) {
      return Short.BYTES;
    }
    boolean isLong = buffer instanceof LongBuffer || buffer instanceof DoubleBuffer;
    return isLong ? Long.BYTES : Integer.BYTES;
  }

  static HostMemory ofAddress(Region.Address region) {
    return windows(region.address(), region.bytes(), region.owner());
  }

  private static HostMemory windows(long address, long bytes, Object owner) {
    List<ByteBuffer> windows = new ArrayList<>();
    for (long start = 0; start < bytes; start += WINDOW_BYTES) {
      windows.add(buffer(address + start, Math.min(WINDOW_BYTES, bytes - start)));
    }
    return new BufferMemory(windows, WINDOW_BYTES, bytes, owner);
  }

  @SuppressWarnings("resource") // neither pointer owns the memory
  private static ByteBuffer buffer(long address, long bytes) {
    return new BytePointer(new Raw(address)).position(0).limit(bytes).asByteBuffer();
  }

  /** A pointer to a given address; the class exists because the field is protected. */
  private static final class Raw extends Pointer {
    Raw(long address) {
      super((Pointer) null);
      this.address = address;
    }
  }
}

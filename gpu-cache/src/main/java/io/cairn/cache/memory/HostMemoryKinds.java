package io.cairn.cache.memory;

import io.cairn.Region;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.List;

/** Detects the kind of an object's memory. Loads JavaCPP's class only where it is needed. */
final class HostMemoryKinds {
  private static final String POINTER = "org.bytedeco.javacpp.Pointer";
  private static final String KINDS =
      "these can: arrays of byte, short, char, int, long, float and double, writable buffers,"
          + " JavaCPP Pointers with a limit, and native memory by address and length";

  private HostMemoryKinds() {}

  static HostMemory detect(String name, Object memory) {
    if (memory instanceof ByteBuffer buffer) {
      return ofBuffer(name, buffer);
    } else if (memory instanceof Buffer buffer) {
      return ofTypedBuffer(name, buffer);
    }
    ArrayKind kind = ArrayKind.of(memory);
    if (kind != null) {
      return new ArrayMemory(kind, memory, 0, kind.length(memory));
    }
    if (isPointer(memory.getClass())) {
      return ofPointer(name, memory);
    }
    throw unsupported(name, memory.getClass().getTypeName());
  }

  static HostMemory ofAddress(Region.Address region) {
    return NativeBuffers.memory(region.address(), region.bytes(), region.owner());
  }

  static IllegalArgumentException unsupported(String name, String what) {
    return new IllegalArgumentException(
        "region " + name + ": " + what + " cannot be captured; " + KINDS);
  }

  private static HostMemory ofBuffer(String name, ByteBuffer buffer) {
    if (buffer.isReadOnly()) {
      throw unsupported(name, "a read-only ByteBuffer (it could not be restored)");
    }
    return buffer.isDirect()
        ? new BufferMemory(List.of(buffer), buffer.capacity(), buffer.capacity(), buffer)
        : new ArrayMemory(ArrayKind.BYTE, buffer.array(), buffer.arrayOffset(), buffer.capacity());
  }

  private static HostMemory ofTypedBuffer(String name, Buffer buffer) {
    if (buffer.isReadOnly()) {
      throw unsupported(name, "a read-only buffer (it could not be restored)");
    } else if (buffer.isDirect()) {
      requireNativeOrder(name, order(buffer));
      long bytes = (long) buffer.capacity() * elementBytes(buffer);
      return NativeBuffers.memory(NativeBuffers.address(buffer), bytes, buffer);
    }
    ArrayKind kind = buffer.hasArray() ? ArrayKind.of(buffer.array()) : null;
    if (kind == null) {
      throw unsupported(name, "a " + buffer.getClass().getName() + " without an array of its own");
    }
    return new ArrayMemory(kind, buffer.array(), buffer.arrayOffset(), buffer.capacity());
  }

  /** Its numbers are restored, and rounded, as those of this machine. */
  private static void requireNativeOrder(String name, ByteOrder order) {
    if (!order.equals(ByteOrder.nativeOrder())) {
      throw new IllegalArgumentException(
          "region %s: a typed buffer whose byte order is %s cannot be captured; call"
                  .formatted(name, order)
              + " .order(ByteOrder.nativeOrder()) on its ByteBuffer before asFloatBuffer() or the"
              + " like");
    }
  }

  private static ByteOrder order(Buffer typed) {
    if (typed instanceof FloatBuffer floats) {
      return floats.order();
    } else if (typed instanceof DoubleBuffer doubles) {
      return doubles.order();
    } else if (typed instanceof IntBuffer ints) {
      return ints.order();
    } else if (typed instanceof LongBuffer longs) {
      return longs.order();
    } else if (typed instanceof ShortBuffer shorts) {
      return shorts.order();
    }
    return ((CharBuffer) typed).order();
  }

  private static boolean isPointer(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (c.getName().equals(POINTER)) {
        return true;
      }
    }
    return false;
  }

  private static int elementBytes(Buffer buffer) {
    if (buffer instanceof ShortBuffer || buffer instanceof CharBuffer) {
      return Short.BYTES;
    }
    boolean isLong = buffer instanceof LongBuffer || buffer instanceof DoubleBuffer;
    return isLong ? Long.BYTES : Integer.BYTES;
  }

  private static HostMemory ofPointer(String name, Object pointer) {
    try {
      return JavaCppMemory.ofPointer(name, pointer);
    } catch (LinkageError e) {
      throw new IllegalArgumentException(
          "region "
              + name
              + ": Cairn does not see the JavaCPP of this Pointer; protect it by its address",
          e);
    }
  }
}

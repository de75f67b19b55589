package io.cairn.cache.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Direct buffers over native memory that is known by its address, and the addresses of direct
 * buffers. The JDK has no public call for either before Java 22, so this class reads and writes two
 * fields of a buffer, which it finds by name. Thread-safe.
 */
final class NativeBuffers {
  private static final long WINDOW_BYTES = 1L << 30;

  private static final Fields FIELDS = Fields.find();

  private NativeBuffers() {}

  /** The fields of a buffer, and what reads and writes them. */
  private record Fields(
      long address,
      long capacity,
      MethodHandle getLong,
      MethodHandle putLong,
      MethodHandle putInt) {
    static Fields find() {
      try {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field instance = unsafe.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        Object memory = instance.get(null);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle offset =
            lookup
                .findVirtual(
                    unsafe, "objectFieldOffset", MethodType.methodType(long.class, Field.class))
                .bindTo(memory);
        return new Fields(
            (long) offset.invoke(Buffer.class.getDeclaredField("address")),
            (long) offset.invoke(Buffer.class.getDeclaredField("capacity")),
            lookup
                .findVirtual(
                    unsafe, "getLong", MethodType.methodType(long.class, Object.class, long.class))
                .bindTo(memory),
            lookup
                .findVirtual(
                    unsafe,
                    "putLong",
                    MethodType.methodType(void.class, Object.class, long.class, long.class))
                .bindTo(memory),
            lookup
                .findVirtual(
                    unsafe,
                    "putInt",
                    MethodType.methodType(void.class, Object.class, long.class, int.class))
                .bindTo(memory));
      } catch (Throwable e) { // as a method handle declares
        throw new IllegalStateException(
            "this JDK gives no buffer over an address; Cairn runs on Java 17", e);
      }
    }
  }

  /**
   * Native memory.
   *
   * @param owner kept reachable
   */
  static HostMemory memory(long address, long bytes, Object owner) {
    List<ByteBuffer> windows = new ArrayList<>();
    for (long start = 0; start < bytes; start += WINDOW_BYTES) {
      windows.add(buffer(address + start, (int) Math.min(WINDOW_BYTES, bytes - start)));
    }
    return new BufferMemory(windows, WINDOW_BYTES, bytes, owner);
  }

  /** A view whose own byte is freed by itself: the JDK's cleaner has the address of that. */
  private static ByteBuffer buffer(long address, int bytes) {
    ByteBuffer view = ByteBuffer.allocateDirect(1).duplicate();
    try {
      FIELDS.putLong.invoke((Object) view, FIELDS.address, address);
      FIELDS.putInt.invoke((Object) view, FIELDS.capacity, bytes);
    } catch (Throwable e) { // as a method handle declares
      throw new IllegalStateException(e);
    }
    return view.clear();
  }

  /** The address of the first element of a direct buffer. */
  static long address(Buffer direct) {
    try {
      return (long) FIELDS.getLong.invoke((Object) direct, FIELDS.address);
    } catch (Throwable e) { // as a method handle declares
      throw new IllegalStateException(e);
    }
  }
}

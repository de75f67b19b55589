package io.cairn.cache.memory.shm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Returns mapped memory to the system without waiting for the garbage collector. The JDK has no
 * public call for that before Java 22, so this class finds the JDK's own one by name. Where it is
 * missing, the collector unmaps as ever. Thread-safe.
 */
final class Unmapping {
  private static final Logger LOG = LoggerFactory.getLogger(Unmapping.class);
  private static final @Nullable MethodHandle CLEANER = find();

  private Unmapping() {}

  private static @Nullable MethodHandle find() {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      return MethodHandles.lookup()
          .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
          .bindTo(instance.get(null));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("Mapped memory of peers that died waits for the garbage collector", e);
      return null;
    }
  }

  /** Unmaps a whole mapping. No thread may use it, or a view of it, now or later. */
  static void unmap(MappedByteBuffer mapping) {
    if (CLEANER != null) {
      try {
        CLEANER.invoke((ByteBuffer) mapping);
      } catch (Throwable e) { // as a method handle declares
        LOG.warn("{} bytes stay mapped until the next collection", mapping.capacity(), e);
      }
    }
  }
}

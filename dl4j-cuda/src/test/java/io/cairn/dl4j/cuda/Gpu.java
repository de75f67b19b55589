package io.cairn.dl4j.cuda;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import io.cairn.cache.memory.cuda.FakeCuda;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * ND4J's use of one GPU of the driver without a GPU: memory, streams and copies. Its caller holds a
 * lock.
 */
final class Gpu {
  private static final long SLAB_BYTES = 16 << 20;
  private static final long ALIGNMENT = 256;
  private static final long POLL_NANOS = 1000;
  private static final int DEVICE_MEMORY_BYTES = 1 << 30;

  /** The property names it for a process that does not build it. */
  static final String LIBRARY =
      Optional.ofNullable(System.getProperty("fake.cuda")).orElseGet(FakeCuda::library);

  static {
    Native.register(Gpu.class, NativeLibrary.getInstance(LIBRARY));
    fakecuda_memory(DEVICE_MEMORY_BYTES);
  }

  /** Which GPU's context is current for a thread. */
  private static final ThreadLocal<Long> CURRENT = ThreadLocal.withInitial(() -> 0L);

  private final long context;

  /** Lengths by addresses. */
  private final Map<Long, Long> slabs = new HashMap<>();

  private final Map<Long, Deque<Long>> free = new HashMap<>();
  private long last;
  private long next = SLAB_BYTES;

  Gpu(int ordinal) {
    require("cuInit", cuInit(0));
    IntByReference device = new IntByReference();
    require("cuDeviceGet", cuDeviceGet(device, ordinal));
    LongByReference retained = new LongByReference();
    require("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(retained, device.getValue()));
    this.context = retained.getValue();
  }

  static native void fakecuda_memory(long bytes);

  static native void fakecuda_delays(long seed, int maxMicros);

  static native void fakecuda_hold(int on);

  static native long fakecuda_pending();

  private static native int cuInit(int flags);

  private static native int cuDeviceGet(IntByReference device, int ordinal);

  private static native int cuDevicePrimaryCtxRetain(LongByReference context, int device);

  private static native int cuCtxPushCurrent_v2(long context);

  private static native int cuMemAlloc_v2(LongByReference address, long bytes);

  private static native int cuMemHostAlloc(LongByReference address, long bytes, int flags);

  private static native int cuStreamCreate(LongByReference stream, int flags);

  private static native int cuStreamQuery(long stream);

  private static native int cuMemcpyHtoD_v2(long target, long source, long bytes);

  private static native int cuMemcpyDtoH_v2(long target, long source, long bytes);

  private static native int cuMemcpyHtoDAsync_v2(long target, long source, long bytes, long stream);

  private static native int cuMemcpyDtoDAsync_v2(long target, long source, long bytes, long stream);

  private static native int cuMemsetD8Async(long target, byte value, long bytes, long stream);

  private static void require(String call, int code) {
    if (code != 0) {
      throw new IllegalStateException(call + ": error " + code);
    }
  }

  private void enter() {
    if (CURRENT.get() != context) {
      require("cuCtxPushCurrent", cuCtxPushCurrent_v2(context));
      CURRENT.set(context);
    }
  }

  /** Memory of undefined content; what was given back is given again first. */
  long allocate(long bytes) {
    long rounded = rounded(bytes);
    Deque<Long> again = free.get(rounded);
    if (again != null && !again.isEmpty()) {
      return again.pop();
    }
    if (rounded > SLAB_BYTES) {
      return slab(rounded);
    }
    if (next + rounded > SLAB_BYTES) {
      last = slab(SLAB_BYTES);
      next = 0;
    }
    next += rounded;
    return last + next - rounded;
  }

  private static long rounded(long bytes) {
    return (Math.max(1, bytes) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private long slab(long bytes) {
    enter();
    LongByReference address = new LongByReference();
    require("cuMemAlloc", cuMemAlloc_v2(address, bytes));
    slabs.put(address.getValue(), bytes);
    return address.getValue();
  }

  /** Whether an address is of its memory. */
  boolean contains(long address) {
    return left(address, 1) > 0;
  }

  /** So many bytes, or those that its memory has from there on. */
  long left(long address, long most) {
    for (Map.Entry<Long, Long> slab : slabs.entrySet()) {
      long from = address - slab.getKey();
      if (from >= 0 && from < slab.getValue()) {
        return Math.min(most, slab.getValue() - from);
      }
    }
    return 0;
  }

  void free(long address, long bytes) {
    free.computeIfAbsent(rounded(bytes), size -> new ArrayDeque<>()).push(address);
  }

  /** Pinned memory of the host. */
  long pinned(long bytes) {
    enter();
    LongByReference address = new LongByReference();
    require("cuMemHostAlloc", cuMemHostAlloc(address, bytes, 0));
    return address.getValue();
  }

  /** A stream that synchronises with the NULL stream, as ND4J's do. */
  long stream() {
    enter();
    LongByReference stream = new LongByReference();
    require("cuStreamCreate", cuStreamCreate(stream, 0));
    return stream.getValue();
  }

  void await(long stream) {
    enter();
    while (cuStreamQuery(stream) != 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Like {@code cudaMemcpy}: on the NULL stream, after the work of all others. */
  void toHost(long target, long source, long bytes) {
    enter();
    require("cuMemcpyDtoH", cuMemcpyDtoH_v2(target, source, bytes));
  }

  /** Like {@link #toHost}. */
  void toDevice(long target, long source, long bytes) {
    enter();
    require("cuMemcpyHtoD", cuMemcpyHtoD_v2(target, source, bytes));
  }

  /** From pinned memory, which the caller leaves as it is until the stream has passed. */
  void toDeviceLater(long target, long source, long bytes, long stream) {
    enter();
    require("cuMemcpyHtoDAsync", cuMemcpyHtoDAsync_v2(target, source, bytes, stream));
  }

  void withinDevice(long target, long source, long bytes, long stream) {
    enter();
    require("cuMemcpyDtoDAsync", cuMemcpyDtoDAsync_v2(target, source, bytes, stream));
  }

  void fill(long target, int value, long bytes, long stream) {
    enter();
    require("cuMemsetD8Async", cuMemsetD8Async(target, (byte) value, bytes, stream));
  }
}

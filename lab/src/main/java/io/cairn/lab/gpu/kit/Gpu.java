package io.cairn.lab.gpu.kit;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import io.cairn.cache.memory.cuda.CudaDevice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A GPU as an application uses it, beside Cairn: the driver's own calls in the primary context,
 * which is current for the thread that opened it. Addresses and handles are the driver's, and live
 * until the process ends unless they are freed. One thread uses it.
 */
final class Gpu {
  static final int NOT_READY = 600;

  private static final int MULTIPROCESSORS = 16;
  private static final int NAME_BYTES = 256;
  private static final int NON_BLOCKING = 1;
  private static final int BLOCK_THREADS = 512;
  private static final long PAUSE_NANOS = 20_000;
  private static final long NULL_STREAM = 0;

  private final NativeLibrary driver;
  private final int device;
  private final Map<String, Long> kernels = new HashMap<>();
  private long module;

  private Gpu(NativeLibrary driver, int device) {
    this.driver = driver;
    this.device = device;
  }

  static Gpu open(KitOptions options) throws IOException {
    NativeLibrary driver = driver(options.library());
    IntByReference device = new IntByReference();
    Gpu start = new Gpu(driver, 0);
    start.call("cuInit", 0);
    start.call("cuDeviceGet", device, options.ordinal());
    Gpu gpu = new Gpu(driver, device.getValue());
    LongByReference context = new LongByReference();
    gpu.call("cuDevicePrimaryCtxRetain", context, gpu.device);
    gpu.call("cuCtxPushCurrent_v2", context.getValue());
    return gpu;
  }

  /** The driver's library; JNA's own message, which lists the class path, helps nobody. */
  static NativeLibrary driver(String library) throws IOException {
    try {
      return NativeLibrary.getInstance(library);
    } catch (UnsatisfiedLinkError e) {
      throw new IOException(
          "there is no CUDA driver "
              + library
              + ": install NVIDIA's driver, or name its library by --library",
          e);
    }
  }

  /**
   * Calls the driver and returns its code; integers have 32 bits, longs are addresses and sizes.
   */
  int code(String call, Object... arguments) {
    return driver.getFunction(call).invokeInt(arguments);
  }

  /** Calls the driver. */
  void call(String call, Object... arguments) throws GpuException {
    int code = code(call, arguments);
    if (code != 0) {
      throw new GpuException(call, name(code));
    }
  }

  /** The driver's name of a code, with the code. */
  String name(int code) {
    PointerByReference name = new PointerByReference();
    code("cuGetErrorName", code, name);
    Pointer text = name.getValue();
    return (text == null ? "unknown" : text.getString(0)) + " (" + code + ")";
  }

  String deviceName() throws GpuException {
    byte[] name = new byte[NAME_BYTES];
    call("cuDeviceGetName", name, name.length, device);
    return new String(name, StandardCharsets.UTF_8).split("\0", 2)[0];
  }

  /** The version of CUDA that the driver was made for, such as 12040. */
  int version() throws GpuException {
    IntByReference version = new IntByReference();
    call("cuDriverGetVersion", version);
    return version.getValue();
  }

  /** A number that the driver knows of the GPU; -1 if it does not know it. */
  int attribute(int number) {
    IntByReference value = new IntByReference();
    return code("cuDeviceGetAttribute", value, number, device) == 0 ? value.getValue() : -1;
  }

  int multiprocessors() {
    return Math.max(1, attribute(MULTIPROCESSORS));
  }

  long freeBytes() throws GpuException {
    LongByReference free = new LongByReference();
    call("cuMemGetInfo_v2", free, new LongByReference());
    return free.getValue();
  }

  long allocate(long bytes) throws GpuException {
    LongByReference address = new LongByReference();
    call("cuMemAlloc_v2", address, bytes);
    return address.getValue();
  }

  void free(long address) throws GpuException {
    call("cuMemFree_v2", address);
  }

  /** Pinned memory of the host, which the GPU reaches at the same address. */
  long allocateHost(long bytes) throws GpuException {
    LongByReference address = new LongByReference();
    call("cuMemHostAlloc", address, bytes, 0);
    return address.getValue();
  }

  void freeHost(long address) throws GpuException {
    call("cuMemFreeHost", address);
  }

  /** The bytes of pinned memory, 2 GiB at most. */
  static ByteBuffer bytes(long address, long length) {
    return new Pointer(address).getByteBuffer(0, length);
  }

  /** A stream that does not wait for the NULL stream. */
  long stream() throws GpuException {
    LongByReference stream = new LongByReference();
    call("cuStreamCreate", stream, NON_BLOCKING);
    return stream.getValue();
  }

  /** An event that notes the time. */
  long event() throws GpuException {
    LongByReference event = new LongByReference();
    call("cuEventCreate", event, 0);
    return event.getValue();
  }

  /** An event that ends with the work that the stream holds now. */
  long record(long stream) throws GpuException {
    long event = event();
    record(event, stream);
    return event;
  }

  void record(long event, long stream) throws GpuException {
    call("cuEventRecord", event, stream);
  }

  boolean hasEnded(long event) throws GpuException {
    int code = code("cuEventQuery", event);
    if (code != 0 && code != NOT_READY) {
      throw new GpuException("cuEventQuery", name(code));
    }
    return code == 0;
  }

  /** Waits for the work of a stream. */
  void await(long stream) throws GpuException {
    long event = record(stream);
    awaitEvent(event);
    call("cuEventDestroy_v2", event);
  }

  void awaitEvent(long event) throws GpuException {
    while (!hasEnded(event)) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Copies bytes to the GPU, and waits until they are there. The call itself returns when it has
   * read pageable memory, and kernels of other streams would not wait for the rest.
   */
  void upload(long target, byte[] source) throws GpuException {
    call("cuMemcpyHtoD_v2", target, source, (long) source.length);
    call("cuStreamSynchronize", NULL_STREAM);
  }

  /** Copies bytes from the GPU, and waits. */
  byte[] download(long source, int length) throws GpuException {
    byte[] found = new byte[length];
    call("cuMemcpyDtoH_v2", found, source, (long) length);
    return found;
  }

  /** One of Cairn's kernels; the first call translates them. */
  long kernel(String name) throws IOException {
    Long known = kernels.get(name);
    if (known != null) {
      return known;
    }
    if (module == 0) {
      LongByReference loaded = new LongByReference();
      call("cuModuleLoadData", loaded, image());
      module = loaded.getValue();
    }
    LongByReference function = new LongByReference();
    call("cuModuleGetFunction", function, module, name);
    kernels.put(name, function.getValue());
    return function.getValue();
  }

  /**
   * Starts one of Cairn's kernels.
   *
   * @param values longs, which are addresses, and integers
   */
  void launch(int blocks, String kernel, long stream, Object... values) throws IOException {
    Memory arguments = new Memory(2L * values.length * Long.BYTES);
    for (int i = 0; i < values.length; i++) {
      long at = (long) (values.length + i) * Long.BYTES;
      arguments.setPointer((long) i * Long.BYTES, arguments.share(at));
      if (values[i] instanceof Integer word) {
        arguments.setInt(at, word);
      } else {
        arguments.setLong(at, (Long) values[i]);
      }
    }
    call(
        "cuLaunchKernel",
        kernel(kernel),
        blocks,
        1,
        1,
        BLOCK_THREADS,
        1,
        1,
        0,
        stream,
        arguments,
        Pointer.NULL);
    arguments.clear(); // the driver has read them, and they stay reachable until then
  }

  /** The PTX, with the zero that ends a string of C. */
  private static byte[] image() throws IOException {
    try (InputStream ptx = CudaDevice.class.getResourceAsStream("cairn.ptx")) {
      if (ptx == null) {
        throw new IOException("the kit lacks cairn.ptx; pack it again");
      }
      byte[] text = ptx.readAllBytes();
      return Arrays.copyOf(text, text.length + 1);
    }
  }
}

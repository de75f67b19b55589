package io.cairn.cache.memory.cuda;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The calls of a thread that has entered a context; closing it makes the thread's earlier context
 * and mode current again. All threads of a mode share one instance per context, so entering
 * allocates nothing. Thread-safe. Every call throws {@link CudaException} if the driver refuses it.
 *
 * <p>The mode is that towards graphs which other threads capture. In the driver's own mode a thread
 * that asks for an event, or allocates, invalidates such a capture. The relaxed one permits it.
 */
final class CurrentContext implements AutoCloseable {
  private static final int NON_BLOCKING = 1;
  private static final int WITHOUT_TIMES = 2;
  private static final int LAZY_PEER_ACCESS = 1;
  private static final int MODES = 3;
  private static final int RELAXED = 2;
  private static final int MEMORY_TYPE = 2;
  private static final int DEVICE_ORDINAL = 9;
  private static final int HOST_MEMORY = 1;
  private static final int DEVICE_MEMORY = 2;

  /** Of every kernel. */
  private static final int BLOCK_THREADS = 512;

  /** Where the driver writes the context that it popped, which no one reads. */
  private static final Memory POPPED = new Memory(Long.BYTES);

  /** Where the driver reads a thread's next mode, and writes the one before. */
  private static final ThreadLocal<Memory> MODE =
      ThreadLocal.withInitial(() -> new Memory(Integer.BYTES));

  private final CudaContext context;
  private final long handle;

  /** The mode to which closing returns the thread. */
  private final int earlierMode;

  private CurrentContext(CudaContext context, long handle, int earlierMode) {
    this.context = context;
    this.handle = handle;
    this.earlierMode = earlierMode;
  }

  /** The instances of a context, by the mode that a thread has when it enters. */
  static List<CurrentContext> ofModes(CudaContext context, long handle) {
    return IntStream.range(0, MODES)
        .mapToObj(mode -> new CurrentContext(context, handle, mode))
        .toList();
  }

  /** Enters, and returns the thread's mode before, whose instance is to be closed. */
  int push() throws CudaException {
    check("cuCtxPushCurrent", DriverCalls.cuCtxPushCurrent_v2(handle));
    // a refusal changes nothing, so that nothing is to be undone
    return exchange(RELAXED) == 0 ? MODE.get().getInt(0) : RELAXED;
  }

  private static int exchange(int mode) {
    Memory exchanged = MODE.get();
    exchanged.setInt(0, mode);
    return DriverCalls.cuThreadExchangeStreamCaptureMode(exchanged);
  }

  @Override
  public void close() throws CudaException {
    try {
      int refusal = earlierMode == RELAXED ? 0 : exchange(earlierMode);
      check("cuCtxPopCurrent", DriverCalls.cuCtxPopCurrent_v2(POPPED));
      check("cuThreadExchangeStreamCaptureMode", refusal);
    } finally {
      context.running().end();
    }
  }

  private void check(String call, int code) throws CudaException {
    if (code != 0) {
      throw context.failed(Driver.failure(call, code));
    }
  }

  long allocate(long bytes) throws CudaException {
    LongByReference address = new LongByReference();
    check("cuMemAlloc", DriverCalls.cuMemAlloc_v2(address, bytes));
    return address.getValue();
  }

  void free(long address) throws CudaException {
    check("cuMemFree", DriverCalls.cuMemFree_v2(address));
  }

  long freeBytes() throws CudaException {
    LongByReference free = new LongByReference();
    check("cuMemGetInfo", DriverCalls.cuMemGetInfo_v2(free, new LongByReference()));
    return free.getValue();
  }

  /** All memory of the GPU, free or not. */
  long totalBytes() throws CudaException {
    LongByReference total = new LongByReference();
    check("cuMemGetInfo", DriverCalls.cuMemGetInfo_v2(new LongByReference(), total));
    return total.getValue();
  }

  /** Host memory that the GPU reaches by itself. */
  long allocateHost(long bytes) throws CudaException {
    LongByReference address = new LongByReference();
    check("cuMemHostAlloc", DriverCalls.cuMemHostAlloc(address, bytes, 0));
    return address.getValue();
  }

  void freeHost(long address) throws CudaException {
    check("cuMemFreeHost", DriverCalls.cuMemFreeHost(address));
  }

  /** Whether an address is memory of this context's GPU. */
  boolean isOnDevice(long address) throws CudaException {
    Place place = place(address);
    return place.type() == DEVICE_MEMORY && place.device() == context.ordinal();
  }

  /** Whether an address is host memory that was pinned, by whomever. */
  boolean isPinned(long address) throws CudaException {
    return place(address).type() == HOST_MEMORY;
  }

  /** The kind of memory at an address, and its device; the driver does not know all memory. */
  private record Place(int type, int device) {}

  private Place place(long address) throws CudaException {
    int results = 2;
    Memory memory = new Memory((long) results * (Long.BYTES + Integer.BYTES));
    long values = (long) results * Long.BYTES;
    for (int i = 0; i < results; i++) {
      memory.setPointer((long) i * Long.BYTES, memory.share(values + (long) i * Integer.BYTES));
    }
    int[] wanted = {MEMORY_TYPE, DEVICE_ORDINAL};
    check(
        "cuPointerGetAttributes",
        DriverCalls.cuPointerGetAttributes(results, wanted, memory, address));
    return new Place(memory.getInt(values), memory.getInt(values + Integer.BYTES));
  }

  /** A stream that does not synchronise with the NULL stream. */
  long newStream() throws CudaException {
    LongByReference stream = new LongByReference();
    check("cuStreamCreate", DriverCalls.cuStreamCreate(stream, NON_BLOCKING));
    return stream.getValue();
  }

  void destroyStream(long stream) throws CudaException {
    check("cuStreamDestroy", DriverCalls.cuStreamDestroy_v2(stream));
  }

  long newEvent() throws CudaException {
    LongByReference event = new LongByReference();
    check("cuEventCreate", DriverCalls.cuEventCreate(event, WITHOUT_TIMES));
    return event.getValue();
  }

  void destroyEvent(long event) throws CudaException {
    check("cuEventDestroy", DriverCalls.cuEventDestroy_v2(event));
  }

  /** Whether a stream has work that has not ended, well or badly. */
  boolean isBusy(long stream) {
    return DriverCalls.cuStreamQuery(stream) == CudaException.NOT_READY;
  }

  /** Refuses a stream of the application that captures a graph, which would take the work. */
  void requireNoCapture(long stream) throws CudaException {
    int[] status = new int[1];
    check("cuStreamIsCapturing", DriverCalls.cuStreamIsCapturing(stream, status));
    if (status[0] != 0) {
      throw CudaException.capturing(context, stream);
    }
  }

  /** The event ends with the work that the stream holds now. */
  void record(long event, long stream) throws CudaException {
    check("cuEventRecord", DriverCalls.cuEventRecord(event, stream));
  }

  /** Like {@link #record}, for copies: if it fails, nothing shows their end. */
  void recordEnd(long event, long stream) throws CudaException {
    try {
      record(event, stream);
    } catch (CudaException e) {
      throw context.lost(e);
    }
  }

  /** Later work of the stream begins after the work that the event recorded last. */
  void waitFor(long stream, long event) throws CudaException {
    check("cuStreamWaitEvent", DriverCalls.cuStreamWaitEvent(stream, event, 0));
  }

  boolean hasEnded(long event) throws CudaException {
    int code = DriverCalls.cuEventQuery(event);
    if (code == CudaException.NOT_READY) {
      return false;
    }
    check("cuEventQuery", code);
    return true;
  }

  /** Copies from host memory, which must be {@linkplain #allocateHost pinned}. */
  void copyToDevice(long target, long source, long bytes, long stream) throws CudaException {
    check("cuMemcpyHtoDAsync", DriverCalls.cuMemcpyHtoDAsync_v2(target, source, bytes, stream));
  }

  /** Copies to host memory, which must be {@linkplain #allocateHost pinned}. */
  void copyToHost(long target, long source, long bytes, long stream) throws CudaException {
    check("cuMemcpyDtoHAsync", DriverCalls.cuMemcpyDtoHAsync_v2(target, source, bytes, stream));
  }

  /** Writes zeros. */
  void clear(long address, long bytes, long stream) throws CudaException {
    check("cuMemsetD8Async", DriverCalls.cuMemsetD8Async(address, (byte) 0, bytes, stream));
  }

  /** Translates PTX, which ends with a zero, into a module. */
  long load(byte[] ptx) throws CudaException {
    LongByReference module = new LongByReference();
    check("cuModuleLoadData", DriverCalls.cuModuleLoadData(module, ptx));
    return module.getValue();
  }

  void unload(long module) throws CudaException {
    check("cuModuleUnload", DriverCalls.cuModuleUnload(module));
  }

  long function(long module, String name) throws CudaException {
    LongByReference function = new LongByReference();
    check("cuModuleGetFunction", DriverCalls.cuModuleGetFunction(function, module, name));
    return function.getValue();
  }

  /**
   * Starts a kernel.
   *
   * @param arguments a pointer to each; the driver has read them when this returns
   */
  void launch(long function, int blocks, long stream, Pointer arguments) throws CudaException {
    check(
        "cuLaunchKernel",
        DriverCalls.cuLaunchKernel(
            function, blocks, 1, 1, BLOCK_THREADS, 1, 1, 0, stream, arguments, Pointer.NULL));
  }

  /** The handle by which other processes open an allocation, in hexadecimal. */
  String export(long address) throws CudaException {
    byte[] exported = new byte[DriverCalls.IPC_HANDLE_BYTES];
    check("cuIpcGetMemHandle", DriverCalls.cuIpcGetMemHandle(exported, address));
    return HexFormat.of().formatHex(exported);
  }

  /**
   * Opens another process's allocation, on this GPU or on one that it reaches, and enables access
   * to it from this context. The driver counts how often.
   */
  long open(String exported) throws CudaException {
    DriverCalls.IpcHandle ipc = new DriverCalls.IpcHandle();
    ipc.reserved = HexFormat.of().parseHex(exported);
    LongByReference address = new LongByReference();
    check("cuIpcOpenMemHandle", DriverCalls.cuIpcOpenMemHandle_v2(address, ipc, LAZY_PEER_ACCESS));
    return address.getValue();
  }

  /** The bytes of an allocation that begins at an address. */
  long bytesFrom(long address) throws CudaException {
    LongByReference begin = new LongByReference();
    LongByReference bytes = new LongByReference();
    check("cuMemGetAddressRange", DriverCalls.cuMemGetAddressRange_v2(begin, bytes, address));
    return bytes.getValue() - (address - begin.getValue());
  }

  void closeOpened(long address) throws CudaException {
    check("cuIpcCloseMemHandle", DriverCalls.cuIpcCloseMemHandle(address));
  }

  /** The address of a direct buffer's first byte. */
  static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
  }

  /** The bytes at an address of pinned host memory. */
  static ByteBuffer bytes(long address, long length) {
    return new Pointer(address).getByteBuffer(0, length);
  }
}

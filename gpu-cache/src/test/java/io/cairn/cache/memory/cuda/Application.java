package io.cairn.cache.memory.cuda;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import io.cairn.DeviceName;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import java.io.IOException;

/**
 * The application's own use of the first GPU: its memory, streams and events, in the primary
 * context, which is current for its thread.
 */
public final class Application implements AutoCloseable {
  static final int BLOCKING = 0;

  static {
    Native.register(Application.class, NativeLibrary.getInstance(FakeCuda.LIBRARY));
  }

  private Application() {}

  private static native int cuMemsetD8Async(long target, byte value, long bytes, long stream);

  private static native int cuMemcpyDtoH_v2(Pointer target, long source, long bytes);

  private static native int cuMemcpyHtoD_v2(long target, Pointer source, long bytes);

  private static native int cuModuleLoadData(LongByReference module, String image);

  private static native int cuModuleGetFunction(LongByReference function, long module, String name);

  private static native int cuLaunchKernel(
      long function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      long stream,
      Pointer arguments,
      Pointer extra);

  /** Makes the context of the first GPU current for this thread. */
  public static Application open() throws IOException {
    LongByReference context = new LongByReference();
    Driver.load(FakeCuda.LIBRARY);
    Driver.check("retain", DriverCalls.cuDevicePrimaryCtxRetain(context, 0));
    Driver.check("push", DriverCalls.cuCtxPushCurrent_v2(context.getValue()));
    return new Application();
  }

  /** Memory of the GPU; its content is undefined. */
  public long allocate(int bytes) throws IOException {
    LongByReference address = new LongByReference();
    Driver.check("allocate", DriverCalls.cuMemAlloc_v2(address, bytes));
    return address.getValue();
  }

  void free(long address) throws IOException {
    Driver.check("free", DriverCalls.cuMemFree_v2(address));
  }

  /** A stream that synchronises with the NULL stream. */
  public long stream() throws IOException {
    LongByReference stream = new LongByReference();
    Driver.check("stream", DriverCalls.cuStreamCreate(stream, BLOCKING));
    return stream.getValue();
  }

  /** Work that writes one value over memory, later. */
  public void fill(long address, int value, int bytes, long stream) throws IOException {
    Driver.check("fill", cuMemsetD8Async(address, (byte) value, bytes, stream));
  }

  /** An event behind all work of a stream so far. */
  public long record(long stream) throws IOException {
    LongByReference event = new LongByReference();
    Driver.check("event", DriverCalls.cuEventCreate(event, 0));
    Driver.check("record", DriverCalls.cuEventRecord(event.getValue(), stream));
    return event.getValue();
  }

  /** The kernel of that name in PTX; returns the driver's code if it refuses. */
  int loads(String ptx, String name, LongByReference function) throws IOException {
    LongByReference module = new LongByReference();
    Driver.check("load", cuModuleLoadData(module, ptx));
    return cuModuleGetFunction(function, module.getValue(), name);
  }

  /** Launches a kernel that takes an address, and a number, in one block. */
  void launch(long function, long address, int number, long stream) throws IOException {
    Memory arguments = new Memory(4L * Long.BYTES);
    arguments.setPointer(0, arguments.share(2L * Long.BYTES));
    arguments.setPointer(Long.BYTES, arguments.share(3L * Long.BYTES));
    arguments.setLong(2L * Long.BYTES, address);
    arguments.setInt(3L * Long.BYTES, number);
    Driver.check(
        "launch", cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, Pointer.NULL));
    arguments.clear();
  }

  /** Reads memory on the NULL stream, after the work of all blocking streams. */
  public byte[] read(long address, int bytes) throws IOException {
    Memory found = new Memory(bytes);
    Driver.check("read", cuMemcpyDtoH_v2(found, address, bytes));
    return found.getByteArray(0, bytes);
  }

  /** Copies from pageable memory on the NULL stream, which may not have ended. */
  void write(long address, Memory source, int bytes) throws IOException {
    Driver.check("write", cuMemcpyHtoD_v2(address, source, bytes));
  }

  /** Memory as a region. */
  public Region.OnDevice region(long address, int bytes, ReadyAfter after) {
    return new Region.OnDevice("weights", new DeviceName("cuda", 0), address, bytes, after, this);
  }

  /** Gives the context back; whatever the application still has ends with it. */
  @Override
  public void close() throws IOException {
    Driver.check("pop", DriverCalls.cuCtxPopCurrent_v2(new Memory(Long.BYTES)));
    Driver.check("release", DriverCalls.cuDevicePrimaryCtxRelease_v2(0));
  }
}

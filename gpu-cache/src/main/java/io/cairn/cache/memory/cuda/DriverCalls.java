package io.cairn.cache.memory.cuda;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.List;

/**
 * The driver's calls, bound one to one. Addresses, sizes and handles are {@code long}, so the class
 * fits 64-bit platforms alone. Each returns the driver's code; {@link Driver} and {@link
 * CurrentContext} check it.
 */
final class DriverCalls {
  static final int IPC_HANDLE_BYTES = 64;

  /** A {@code CUipcMemHandle}, which the driver takes by value. JNA reads the public field. */
  public static final class IpcHandle extends Structure implements Structure.ByValue {
    /** Opaque. */
    public byte[] reserved = new byte[IPC_HANDLE_BYTES];

    @Override
    protected List<String> getFieldOrder() {
      return List.of("reserved");
    }
  }

  private DriverCalls() {}

  /** Binds all calls; throws {@link UnsatisfiedLinkError} if the library lacks one. */
  static void bind(NativeLibrary library) {
    Native.register(DriverCalls.class, library);
  }

  static native int cuInit(int flags);

  static native int cuGetErrorName(int code, PointerByReference name);

  static native int cuGetErrorString(int code, PointerByReference text);

  static native int cuDeviceGetCount(IntByReference count);

  static native int cuDeviceGet(IntByReference device, int ordinal);

  static native int cuDeviceGetAttribute(IntByReference value, int attribute, int device);

  static native int cuDeviceGetName(byte[] name, int length, int device);

  static native int cuDeviceGetUuid(byte[] uuid, int device);

  static native int cuDeviceCanAccessPeer(IntByReference can, int device, int peer);

  static native int cuDevicePrimaryCtxRetain(LongByReference context, int device);

  static native int cuDevicePrimaryCtxRelease_v2(int device);

  static native int cuCtxPushCurrent_v2(long context);

  static native int cuCtxPopCurrent_v2(Pointer context);

  /** Exchanges the calling thread's mode towards captures of graphs. */
  static native int cuThreadExchangeStreamCaptureMode(Pointer mode);

  static native int cuMemAlloc_v2(LongByReference address, long bytes);

  static native int cuMemGetAddressRange_v2(
      LongByReference begin, LongByReference bytes, long address);

  static native int cuMemFree_v2(long address);

  static native int cuMemGetInfo_v2(LongByReference freeBytes, LongByReference totalBytes);

  static native int cuMemHostAlloc(LongByReference address, long bytes, int flags);

  static native int cuMemFreeHost(long address);

  static native int cuPointerGetAttributes(
      int count, int[] attributes, Pointer results, long address);

  static native int cuStreamCreate(LongByReference stream, int flags);

  static native int cuStreamDestroy_v2(long stream);

  static native int cuStreamQuery(long stream);

  static native int cuStreamIsCapturing(long stream, int[] status);

  static native int cuStreamWaitEvent(long stream, long event, int flags);

  static native int cuEventCreate(LongByReference event, int flags);

  static native int cuEventDestroy_v2(long event);

  static native int cuEventRecord(long event, long stream);

  static native int cuEventQuery(long event);

  static native int cuMemcpyHtoDAsync_v2(long target, long source, long bytes, long stream);

  static native int cuMemcpyDtoHAsync_v2(long target, long source, long bytes, long stream);

  static native int cuMemsetD8Async(long target, byte value, long bytes, long stream);

  static native int cuModuleLoadData(LongByReference module, byte[] image);

  static native int cuModuleGetFunction(LongByReference function, long module, String name);

  static native int cuModuleUnload(long module);

  static native int cuLaunchKernel(
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

  static native int cuIpcGetMemHandle(byte[] handle, long address);

  static native int cuIpcOpenMemHandle_v2(LongByReference address, IpcHandle handle, int flags);

  static native int cuIpcCloseMemHandle(long address);
}

package io.cairn.cache.memory.cuda;

import com.sun.jna.NativeLibrary;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The CUDA driver of this machine, with the calls that need no context. One library is bound for
 * the life of the process. Thread-safe.
 */
final class Driver {
  private static final int NAME_BYTES = 256;
  private static final int UUID_BYTES = 16;
  private static final int MULTIPROCESSORS = 16;
  private static @Nullable Driver loaded;

  private final String library;
  private final boolean namesParts;

  private Driver(String library, boolean namesParts) {
    this.library = library;
    this.namesParts = namesParts;
  }

  /**
   * Loads and starts the driver, or returns the one that is loaded.
   *
   * @param library a name or an absolute path
   * @throws CudaException if there is none, it lacks a call, it does not start, or another library
   *     was loaded before
   * @throws LinkageError if JNA is missing or does not work
   */
  static synchronized Driver load(String library) throws CudaException {
    Driver driver = loaded;
    if (driver == null) {
      driver = bind(library);
      check("cuInit", DriverCalls.cuInit(0));
      loaded = driver;
    } else if (!driver.library.equals(library)) {
      throw CudaException.unusable(
          "%s is not loaded, since this process uses %s; name one library"
              .formatted(library, driver.library));
    }
    return driver;
  }

  private static Driver bind(String library) throws CudaException {
    NativeLibrary found;
    try {
      found = NativeLibrary.getInstance(library);
    } catch (UnsatisfiedLinkError e) {
      throw CudaException.unusable(
          "no CUDA driver: %s cannot be loaded (%s); install NVIDIA's driver, or name its library"
              .formatted(library, reason(e)));
    }
    try {
      DriverCalls.bind(found);
    } catch (UnsatisfiedLinkError e) {
      throw CudaException.unusable(
          "the CUDA driver %s is too old (%s); install one for CUDA 11 or later"
              .formatted(library, e.getMessage()));
    }
    return new Driver(library, MigCalls.bind(found));
  }

  /** Without the class path, which JNA lists after all places where it looked. */
  private static String reason(UnsatisfiedLinkError failure) {
    return String.valueOf(failure.getMessage()).replaceFirst("(?s) in resource path.*", "");
  }

  /** Throws unless a call succeeded. */
  static void check(String call, int code) throws CudaException {
    if (code != 0) {
      throw failure(call, code);
    }
  }

  static CudaException failure(String call, int code) {
    PointerByReference name = new PointerByReference();
    PointerByReference text = new PointerByReference();
    DriverCalls.cuGetErrorName(code, name);
    DriverCalls.cuGetErrorString(code, text);
    return new CudaException(
        call, code, string(name, "an error without a name"), string(text, "not described"));
  }

  private static String string(PointerByReference found, String otherwise) {
    return found.getValue() == null ? otherwise : found.getValue().getString(0);
  }

  /** How many GPUs this process may use. */
  int devices() throws CudaException {
    IntByReference count = new IntByReference();
    check("cuDeviceGetCount", DriverCalls.cuDeviceGetCount(count));
    return count.getValue();
  }

  /** The driver's handle of a GPU. */
  int device(int ordinal) throws CudaException {
    IntByReference device = new IntByReference();
    check("cuDeviceGet", DriverCalls.cuDeviceGet(device, ordinal));
    return device.getValue();
  }

  /** How many blocks of threads a GPU runs at once, each on a processor of its own. */
  int multiprocessors(int device) throws CudaException {
    IntByReference count = new IntByReference();
    check("cuDeviceGetAttribute", DriverCalls.cuDeviceGetAttribute(count, MULTIPROCESSORS, device));
    return count.getValue();
  }

  String name(int device) throws CudaException {
    byte[] name = new byte[NAME_BYTES];
    check("cuDeviceGetName", DriverCalls.cuDeviceGetName(name, name.length, device));
    String text = new String(name, StandardCharsets.UTF_8);
    return text.substring(0, text.indexOf('\0'));
  }

  /** The UUID of a GPU, or of the part of one that this process has. */
  UUID uuid(int device) throws CudaException {
    byte[] uuid = new byte[UUID_BYTES];
    if (namesParts) {
      check("cuDeviceGetUuid_v2", MigCalls.cuDeviceGetUuid_v2(uuid, device));
    } else {
      check("cuDeviceGetUuid", DriverCalls.cuDeviceGetUuid(uuid, device));
    }
    ByteBuffer bits = ByteBuffer.wrap(uuid);
    return new UUID(bits.getLong(), bits.getLong());
  }

  /**
   * Whether kernels of a GPU reach the memory of another one. A GPU that this process does not see
   * counts as out of reach, since the driver answers for the others alone.
   */
  boolean reaches(int device, UUID gpu) throws CudaException {
    for (int ordinal = 0; ordinal < devices(); ordinal++) {
      int other = device(ordinal);
      if (uuid(other).equals(gpu)) {
        IntByReference can = new IntByReference();
        check("cuDeviceCanAccessPeer", DriverCalls.cuDeviceCanAccessPeer(can, device, other));
        return can.getValue() != 0;
      }
    }
    return false;
  }

  /** Retains the primary context of a GPU, and returns its handle. */
  long retain(int device) throws CudaException {
    LongByReference context = new LongByReference();
    check("cuDevicePrimaryCtxRetain", DriverCalls.cuDevicePrimaryCtxRetain(context, device));
    return context.getValue();
  }

  /** Undoes one {@link #retain}. */
  void release(int device) throws CudaException {
    check("cuDevicePrimaryCtxRelease", DriverCalls.cuDevicePrimaryCtxRelease_v2(device));
  }

  @Override
  public String toString() {
    return library;
  }
}

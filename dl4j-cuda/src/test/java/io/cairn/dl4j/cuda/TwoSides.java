package io.cairn.dl4j.cuda;

import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The native buffer of an array: memory on a GPU and in host memory, and which of both is actual,
 * as libnd4j's {@code DataBuffer} decides it: by the order of reads and writes on either side. Its
 * caller holds a lock.
 */
final class TwoSides {
  private final Gpu gpu;
  private final int device;
  private final int width;
  private long bytes;
  private @Nullable Pointer ownHost;
  private long host;
  private long onDevice;
  private boolean ownsDevice;

  /** Arrays that share it: a buffer, and views of it. */
  private int users = 1;

  /** Whether who computes has the bytes of the GPU already. */
  private boolean known;

  private long counter;
  private long writtenHost;
  private long writtenDevice;
  private long readHost;
  private long readDevice;

  TwoSides(Gpu gpu, int device, long elements, int width) {
    this.gpu = gpu;
    this.device = device;
    this.width = width;
    this.bytes = elements * width;
  }

  int device() {
    return device;
  }

  long bytes() {
    return bytes;
  }

  long host() {
    return host;
  }

  long onDevice() {
    return onDevice;
  }

  boolean isActualOnHost() {
    return writtenHost > writtenDevice || readHost > writtenDevice;
  }

  boolean isActualOnDevice() {
    return writtenDevice > writtenHost || readDevice > writtenHost;
  }

  void writeHost() {
    writtenHost = ++counter;
  }

  /** The bytes are others, whoever wrote them. */
  void writeDevice() {
    writtenDevice = ++counter;
    known = false;
  }

  boolean isKnown() {
    return known;
  }

  void know() {
    known = true;
  }

  /** Memory of the GPU was written by its address. */
  void forget(long address, long length) {
    known &= address + length <= onDevice || address >= onDevice + bytes;
  }

  void readHost() {
    readHost = ++counter;
  }

  void readDevice() {
    readDevice = ++counter;
  }

  void allocateHost() {
    if (host == 0 && bytes > 0) {
      ownHost = Pointer.calloc(1, bytes);
      host = ownHost.address();
    }
  }

  void allocateOnDevice() {
    if (onDevice == 0 && bytes > 0) {
      onDevice = gpu.allocate(bytes);
      ownsDevice = true;
    }
  }

  /** Memory of a workspace, which stays its own. */
  void setHost(long address) {
    freeHost();
    host = address;
  }

  /** Likewise. */
  void setOnDevice(long address) {
    freeOnDevice();
    onDevice = address;
    known = false;
  }

  /** Brings newer bytes of the host to the GPU; it waits for both. */
  void toDevice() {
    if (host != 0 && !isActualOnDevice()) {
      allocateOnDevice();
      gpu.toDevice(onDevice, host, bytes);
      known = false;
      readDevice();
    }
  }

  /** Brings newer bytes of the GPU to the host; it waits for all streams. */
  void toHost() {
    if (!isActualOnHost()) {
      allocateHost();
      if (onDevice != 0) {
        gpu.toHost(host, onDevice, bytes);
      }
      readHost();
    }
  }

  /** Another number of elements, with the content of before. */
  void expand(long elements) {
    long oldHost = host;
    long oldDevice = onDevice;
    long oldBytes = bytes;
    Pointer oldOwn = ownHost;
    boolean owned = ownsDevice;
    bytes = elements * width;
    known = false;
    host = 0;
    onDevice = 0;
    if (oldHost != 0) {
      allocateHost();
      Pointer.memcpy(new At(host), new At(oldHost), oldBytes);
    }
    if (oldDevice != 0) {
      allocateOnDevice();
      gpu.withinDevice(onDevice, oldDevice, oldBytes, 0);
      gpu.await(0);
    }
    if (owned) {
      gpu.free(oldDevice, oldBytes);
    }
    if (oldOwn != null) {
      oldOwn.deallocate();
    }
  }

  /** Other memory on the GPU, with the same content. */
  void move() {
    long old = onDevice;
    boolean owned = ownsDevice;
    onDevice = 0;
    allocateOnDevice();
    gpu.withinDevice(onDevice, old, bytes, 0);
    gpu.await(0);
    if (owned) {
      gpu.free(old, bytes);
    }
  }

  void share() {
    users++;
  }

  /** One array less; the last one gives the memory back, and gets true. */
  boolean leave() {
    users--;
    if (users == 0) {
      close();
    }
    return users == 0;
  }

  void close() {
    freeHost();
    freeOnDevice();
  }

  private void freeHost() {
    Pointer own = ownHost;
    if (own != null) {
      own.deallocate();
    }
    ownHost = null;
    host = 0;
  }

  private void freeOnDevice() {
    if (ownsDevice) {
      gpu.free(onDevice, bytes);
    }
    ownsDevice = false;
    onDevice = 0;
  }

  /** A pointer to an address. */
  static final class At extends Pointer {
    At(long at) {
      address = at;
    }
  }
}

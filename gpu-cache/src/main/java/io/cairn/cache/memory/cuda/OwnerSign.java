package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device as other processes see it: the driver's handle of its memory, and a sign of life, since
 * the driver does not report the death of an owner. The sign is a page of shared memory, whose file
 * carries a lock for the owner's life. Thread-safe.
 */
final class OwnerSign implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerSign.class);
  private static final int SIGN_BYTES = 8;

  private final SharedMemoryDevice life;
  private final DeviceAddress page;
  private final UUID gpu;
  private final Optional<String> ipc;

  private OwnerSign(SharedMemoryDevice life, DeviceAddress page, UUID gpu, Optional<String> ipc) {
    this.life = life;
    this.page = page;
    this.gpu = gpu;
    this.ipc = ipc;
  }

  /**
   * Makes the sign, and asks the driver whether it can export the memory; logs one warning if not.
   *
   * @param directory for the sign's file; made if missing
   */
  static OwnerSign open(Path directory, CudaContext context, CudaArena arena) throws IOException {
    UUID gpu = context.uuid();
    SharedMemoryDevice life = SharedMemoryDevice.open(directory, directory, SIGN_BYTES);
    return new OwnerSign(life, life.allocate(SIGN_BYTES), gpu, exported(context, arena));
  }

  private static Optional<String> exported(CudaContext context, CudaArena arena) {
    try (CurrentContext calls = context.enter()) {
      return Optional.of(calls.export(arena.address()));
    } catch (CudaException e) {
      LOG.warn("{} shares no memory with other processes: {}", context, e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * The handle of a span.
   *
   * @throws UnsupportedOperationException if the driver cannot export memory here
   */
  CudaHandle handle(UUID device, long offset, long bytes) {
    String exported =
        ipc.orElseThrow(
            () ->
                new UnsupportedOperationException(
                    "this GPU shares no memory with other processes, as the log says"));
    return new CudaHandle(gpu, device, exported, offset, bytes, life.export(page));
  }

  /** Checks that a handle's memory lies on this device's GPU. */
  void requireGpu(CudaHandle handle, String description) throws IOException {
    handle.requireGpu(gpu, description);
  }

  /**
   * Opens another device's sign of life; the caller closes it.
   *
   * @throws IOException if its owner is dead, or has closed it
   */
  DeviceMemory.Opened follow(ExportedMemory sign) throws IOException {
    return life.open(sign);
  }

  @Override
  public void close() {
    life.close();
  }
}

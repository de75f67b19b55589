package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device as other processes see it: the driver's handle of its memory, a sign of life, and its
 * {@link Importers}, since the driver reports neither the death of an owner nor who opened memory.
 * The sign is a page of shared memory, whose file carries a lock for the owner's life. Thread-safe.
 */
final class OwnerSign implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerSign.class);
  private static final int SIGN_BYTES = 8;

  private final Path directory;
  private final UUID gpu;
  private final UUID device;
  private final CudaArena arena;
  private final SharedMemoryDevice life;
  private final DeviceAddress page;
  private final Optional<Export> export;
  private volatile boolean named;

  private OwnerSign(
      Path directory,
      UUID gpu,
      UUID device,
      CudaArena arena,
      SharedMemoryDevice life,
      Optional<Export> export)
      throws IOException {
    this.directory = directory;
    this.gpu = gpu;
    this.device = device;
    this.arena = arena;
    this.life = life;
    this.export = export;
    page = life.allocate(SIGN_BYTES);
  }

  /** The driver's handle, and the file that shows importers their owner. */
  private record Export(String ipc, LockedFile owner) {}

  /**
   * Makes the sign, and asks the driver whether it can export the memory; logs one warning if not.
   *
   * @param directory for the files; made if missing
   */
  static OwnerSign open(Path directory, CudaContext context, CudaArena arena) throws IOException {
    UUID gpu = context.uuid();
    UUID device = UUID.randomUUID();
    SharedMemoryDevice life = SharedMemoryDevice.open(directory, directory, SIGN_BYTES);
    Optional<Export> export = export(context, arena, new Importers(directory, device));
    return new OwnerSign(directory, gpu, device, arena, life, export);
  }

  private static Optional<Export> export(
      CudaContext context, CudaArena arena, Importers importers) {
    try (CurrentContext calls = context.enter()) {
      String ipc = calls.export(arena.address());
      LockedFile owner = importers.own();
      arena.lendTo(importers);
      return Optional.of(new Export(ipc, owner));
    } catch (IOException e) {
      LOG.warn("{} shares no memory with other processes", context, e);
      return Optional.empty();
    }
  }

  /** The name of the device. */
  UUID device() {
    return device;
  }

  /**
   * The handle of a span.
   *
   * @throws UnsupportedOperationException if the memory cannot be exported here
   */
  CudaHandle handle(long offset, long bytes) {
    Export exported =
        export.orElseThrow(
            () ->
                new UnsupportedOperationException(
                    "this GPU shares no memory with other processes, as the log says"));
    named = true;
    return new CudaHandle(gpu, device, exported.ipc(), offset, bytes, life.export(page));
  }

  /** The importers of another device, whose owner uses the same directory. */
  Importers importersOf(CudaHandle handle) {
    return new Importers(directory, handle.device());
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

  /** Ends the owner's files. From then on no process opens the memory. */
  @Override
  public void close() {
    export.ifPresent(this::end);
    try {
      life.close();
    } catch (UncheckedIOException e) {
      LOG.warn("the sign of a GPU's memory stays until another process starts", e);
    }
  }

  private void end(Export exported) {
    if (named && !exported.owner().exists()) {
      LOG.warn(
          "{} was removed by others, so nobody can tell who has the memory of a GPU open; it stays"
              + " until this process ends",
          exported.owner());
      arena.keepToTheEnd();
    }
    exported.owner().close();
  }
}

package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceAddress;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the driver's allocations that a device consists of, and its name and handle for other
 * processes. Their {@link Importers} are known for each slab, so that one can be freed without the
 * others. Thread-safe.
 */
final class Slab {
  private static final Logger LOG = LoggerFactory.getLogger(Slab.class);

  private final UUID name = UUID.randomUUID();
  private final CudaArena arena;
  private final OwnerSign sign;
  private final long offset;
  private final DeviceAddress page;
  private final Optional<Export> export;
  private final AtomicBoolean open = new AtomicBoolean(true);
  private final AtomicBoolean used = new AtomicBoolean(true);
  private volatile boolean named;
  private volatile boolean forgotten;

  /** The driver's handle, and the file that shows importers their owner. */
  private record Export(String ipc, LockedFile owner) {}

  /**
   * Asks the driver whether it can export the memory; logs a warning if not.
   *
   * @param sign of its device
   * @param offset of its first byte in the device, in bytes
   */
  Slab(CudaContext context, CudaArena arena, OwnerSign sign, long offset) throws IOException {
    this.arena = arena;
    this.sign = sign;
    this.offset = offset;
    page = sign.newPage();
    export = export(context, arena, sign.importersOf(name));
    CudaImports.offer(name, arena);
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

  CudaArena arena() {
    return arena;
  }

  /** Of its first byte in the device, in bytes. */
  long offset() {
    return offset;
  }

  /** Whether it was neither given up nor ended. */
  boolean isOpen() {
    return open.get();
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
    return new CudaHandle(sign.gpu(), name, exported.ipc(), offset, bytes, sign.export(page));
  }

  /** Asks processes that have it open to close it; false if it was not open any more. */
  boolean giveUp() {
    if (!open.compareAndSet(true, false)) {
      return false;
    }
    sign.giveUp(page);
    withdraw();
    return true;
  }

  /** Ends the device's use of the memory, which goes with its last use. Idempotent. */
  void endUse() {
    if (used.compareAndSet(true, false)) {
      arena.endUse();
    }
  }

  /** Ends its files. From then on no process opens it. Idempotent. */
  void end() {
    if (open.compareAndSet(true, false)) {
      withdraw();
      if (!named) {
        sign.free(page);
        forgotten = true;
      }
    }
  }

  private void withdraw() {
    CudaImports.withdraw(name, arena);
    export.ifPresent(this::end);
  }

  /** Whether its memory was freed, and no other device ever had its name. */
  boolean isForgotten() {
    return forgotten && arena.isFreed();
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

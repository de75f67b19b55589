package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory.Opened;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens memory that devices export: of another process through the driver, which refuses a
 * process's own handles, and of this process by its address. The memory of another GPU is mapped if
 * the driver says that kernels reach it; then they copy there as within one GPU, checksums
 * included. {@code cuMemcpyPeerAsync} would also copy elsewhere, through the host, for the price of
 * a context on each lender's GPU, and without checksums. Thread-safe.
 */
final class CudaImports {
  private static final Logger LOG = LoggerFactory.getLogger(CudaImports.class);
  private static final Map<UUID, CudaArena> OF_THIS_PROCESS = new ConcurrentHashMap<>();

  private final CudaContext context;
  private final OwnerSign sign;
  private final OpenedSpans opened;
  private final AtomicBoolean hasToldOfRefusal = new AtomicBoolean();

  /**
   * Opens memory for one device.
   *
   * @param sign of that device
   * @param opened takes what is opened
   */
  CudaImports(CudaContext context, OwnerSign sign, OpenedSpans opened) {
    this.context = context;
    this.sign = sign;
    this.opened = opened;
  }

  /** Lets devices of this process open an arena. */
  static void offer(UUID slab, CudaArena arena) {
    OF_THIS_PROCESS.put(slab, arena);
  }

  /** Ends {@link #offer}. */
  static void withdraw(UUID slab, CudaArena arena) {
    OF_THIS_PROCESS.remove(slab, arena);
  }

  /**
   * Opens what a handle names.
   *
   * @throws IOException naming the handle and the reason
   */
  Opened open(CudaHandle handle) throws IOException {
    Opened life = sign.follow(handle.life());
    try {
      CudaArena neighbour = OF_THIS_PROCESS.get(handle.slab());
      if (!handle.gpu().equals(sign.gpu())) {
        // to open a peer's memory maps it for this context, which no call does for a neighbour's
        return neighbour == null ? openElsewhere(handle, life) : unreached(handle, life);
      }
      return neighbour == null ? openPeer(handle, life) : openNeighbour(neighbour, handle, life);
    } catch (IOException | RuntimeException e) {
      life.close();
      throw e;
    }
  }

  /**
   * Maps the memory of another GPU, if the driver does. A kernel that wrote to memory out of reach
   * would end the context of the whole process.
   */
  private Opened openElsewhere(CudaHandle handle, Opened life) throws IOException {
    try {
      return context.reaches(handle.gpu()) ? openPeer(handle, life) : unreached(handle, life);
    } catch (IOException e) {
      Throwable cause = e instanceof CudaException ? e : e.getCause();
      if (!(cause instanceof CudaException refusal) || refusal.isSticky()) {
        throw e;
      }
      if (!hasToldOfRefusal.getAndSet(true)) {
        LOG.warn("{}: chunks go through the host to memory of another GPU", context, e);
      }
      life.close();
      return unreached(handle, sign.follow(handle.life())); // a span that was opened closed it
    }
  }

  private static Unreached unreached(CudaHandle handle, Opened life) {
    return new Unreached(new DeviceAddress(DeviceAddress.newDevice(), 0, handle.bytes()), life);
  }

  /** Memory that is followed, and not mapped. No engine resolves its address. */
  private record Unreached(DeviceAddress address, Opened life) implements Opened {
    @Override
    public boolean isReached() {
      return false;
    }

    @Override
    public boolean ownerIsGone() throws IOException {
      return life.ownerIsGone();
    }

    @Override
    public boolean isGivenUp() {
      return life.isGivenUp();
    }

    @Override
    public void close() {
      life.close();
    }
  }

  private Opened openNeighbour(CudaArena arena, CudaHandle handle, Opened life) throws IOException {
    if (handle.offset() > arena.bytes() - handle.bytes()) {
      throw new IOException(handle + ": the device has only " + arena.bytes() + " bytes");
    } else if (!arena.use()) {
      throw new IOException(handle + ": its owner has closed it");
    }
    return opened.add(arena.address() + handle.offset(), handle.bytes(), life, arena::endUse);
  }

  private Opened openPeer(CudaHandle handle, Opened life) throws IOException {
    LockedFile importer = join(handle);
    boolean done = false;
    try (CurrentContext calls = context.enter()) {
      if (life.ownerIsGone() || life.isGivenUp()) {
        throw new IOException(handle + ": its owner has closed it, or is dead");
      }
      long base = calls.open(handle.ipc());
      done = true; // from here the span's end closes the importer's file
      Opened span = open(handle, life, importer, base);
      requireInside(handle, base, calls, span);
      return span;
    } catch (CudaException e) {
      throw new IOException(handle + " cannot be opened: " + e.getMessage(), e);
    } finally {
      if (!done) {
        importer.close();
      }
    }
  }

  /** A kernel that wrote past it would end the context of the whole process. */
  private static void requireInside(CudaHandle handle, long base, CurrentContext calls, Opened span)
      throws IOException {
    boolean inside = false;
    try {
      long bytes = calls.bytesFrom(base);
      if (handle.offset() > bytes - handle.bytes()) {
        throw new IOException(handle + ": its owner's memory has only " + bytes + " bytes");
      }
      inside = true;
    } finally {
      if (!inside) {
        span.close();
      }
    }
  }

  private LockedFile join(CudaHandle handle) throws IOException {
    try {
      return sign.importersOf(handle.slab()).join();
    } catch (IOException e) {
      throw new IOException(handle + " cannot be opened: " + e.getMessage(), e);
    }
  }

  private Opened open(CudaHandle handle, Opened life, LockedFile importer, long base) {
    return opened.add(
        base + handle.offset(),
        handle.bytes(),
        life,
        () -> Teardown.run(context, () -> closePeer(base, importer)));
  }

  /** The owner frees the memory once the importer's file has gone, so that one is the last. */
  private void closePeer(long base, LockedFile importer) {
    try (CurrentContext calls = context.enter()) {
      calls.closeOpened(base);
    } catch (CudaException e) {
      LOG.warn("{}: memory of another process stays open until this one ends", context, e);
      return;
    }
    importer.close();
  }
}

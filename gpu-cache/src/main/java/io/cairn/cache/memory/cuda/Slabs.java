package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.ExtentAllocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one device: slabs, each of which begins at a multiple of one length, and is not
 * longer. Offsets count through all of them, and no allocation crosses their ends. A device on
 * demand has a slab for each allocation. Thread-safe.
 */
final class Slabs {
  private final long number = DeviceAddress.newDevice();
  private final Driver driver;
  private final CudaContext context;
  private final CudaOptions options;
  private final OwnerSign sign;
  private final ExtentAllocator extents;

  /**
   * By their offsets; replaced as a whole, so that a look takes no lock. A new one takes the place
   * of one that nobody can know any more.
   */
  private volatile List<Slab> all = List.of();

  /** Guarded by the monitor. */
  private boolean ended;

  private Slabs(Driver driver, CudaContext context, CudaOptions options, OwnerSign sign) {
    this.driver = driver;
    this.context = context;
    this.options = options;
    this.sign = sign;
    extents = new ExtentAllocator(context.toString(), options.capacityBytes(), options.slabBytes());
  }

  /**
   * Allocates the slabs of the capacity.
   *
   * @param sign of their device
   * @throws IOException if the GPU has no such room; nothing stays allocated then
   */
  static Slabs allocate(Driver driver, CudaContext context, CudaOptions options, OwnerSign sign)
      throws IOException {
    Slabs slabs = new Slabs(driver, context, options, sign);
    try {
      for (long left = options.capacityBytes(); left > 0; left -= options.slabBytes()) {
        slabs.add(Math.min(left, options.slabBytes()));
      }
      return slabs;
    } catch (IOException | RuntimeException e) {
      slabs.end();
      Teardown.run(context, slabs::endUse);
      throw e;
    }
  }

  private synchronized Slab add(long bytes) throws IOException {
    if (ended) {
      throw new IllegalStateException(context + " is closed");
    }
    CudaArena arena = CudaArena.allocate(driver, options, bytes);
    try {
      List<Slab> more = new ArrayList<>(all);
      Slab forgotten = more.stream().filter(Slab::isForgotten).findFirst().orElse(null);
      int index = forgotten == null ? more.size() : more.indexOf(forgotten);
      Slab slab = new Slab(context, arena, sign, index * options.slabBytes());
      more.add(index, slab);
      if (forgotten != null) {
        more.remove(index + 1);
      }
      all = List.copyOf(more);
      return slab;
    } catch (IOException | RuntimeException e) {
      Teardown.run(context, arena::endUse);
      throw e;
    }
  }

  /** Whether each allocation is a slab of its own. */
  boolean isOnDemand() {
    return options.isOnDemand();
  }

  DeviceAddress allocate(long bytes) throws IOException {
    if (!isOnDemand()) {
      return new DeviceAddress(number, extents.allocate(bytes), bytes);
    } else if (bytes < 1) {
      throw new IllegalArgumentException("device " + context + ": allocation of " + bytes);
    } else if (bytes > options.slabBytes()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "device %s: no room for %d bytes in one piece, the longest is %d",
              context,
              bytes,
              options.slabBytes()));
    }
    return new DeviceAddress(number, add(bytes).offset(), bytes);
  }

  void free(DeviceAddress address) {
    requireOwn(address);
    extents.free(address.offset(), address.bytes());
  }

  /**
   * As {@link CudaDevice#giveUp}.
   *
   * @return the slab that was given up, whose use the caller ends; null if there is none
   */
  @Nullable Slab giveUp(DeviceAddress address) {
    if (isOnDemand()) {
      Slab slab = requireWhole(address);
      return slab.giveUp() ? slab : null;
    }
    Slab slab = requireOwn(address);
    if (address.bytes() < slab.arena().bytes()) {
      free(address);
      return null;
    } else if (!extents.isAllocated(address.offset(), address.bytes())) {
      throw new IllegalArgumentException(address + " is not allocated on " + context);
    }
    return slab.giveUp() ? slab : null;
  }

  /** The slab of an allocation on demand, which no process opens any more. */
  Slab end(DeviceAddress address) {
    Slab slab = requireWhole(address);
    slab.end();
    return slab;
  }

  private Slab requireWhole(DeviceAddress address) {
    Slab slab = requireOwn(address);
    if (address.bytes() != slab.arena().bytes()) {
      throw new IllegalArgumentException(address + " is not allocated on " + context);
    }
    return slab;
  }

  /** Bytes that were given up, and are still allocated. */
  long leavingBytes() {
    return all.stream()
        .filter(slab -> !slab.isOpen() && !slab.arena().isFreed())
        .mapToLong(slab -> slab.arena().bytes())
        .sum();
  }

  CudaHandle handle(DeviceAddress address) {
    Slab slab = requireOwn(address);
    return slab.handle(address.offset() - slab.offset(), address.bytes());
  }

  boolean isOwn(DeviceAddress address) {
    return address.device() == number;
  }

  /** The driver's address. */
  long resolve(DeviceAddress address) {
    return resolve(requireOwn(address), address);
  }

  private static long resolve(Slab slab, DeviceAddress address) {
    return slab.arena().address() + address.offset() - slab.offset();
  }

  /**
   * A use of memory that may be given up at any time, and is not freed before this is closed.
   *
   * @param address the driver's; 0 if it is not open
   */
  record Use(@Nullable CudaArena arena, long address) implements AutoCloseable {
    private static final Use NONE = new Use(null, 0);

    /** Of memory of a peer, which the call of the device holds. */
    static Use ofPeer(long address) {
      return new Use(null, address);
    }

    /** Whether the memory was not given up before. */
    boolean isOpen() {
      return address != 0;
    }

    @Override
    public void close() {
      if (arena != null) {
        arena.endUse();
      }
    }
  }

  /** A use that is not open if the memory was given up. */
  Use use(DeviceAddress address) {
    Slab slab = requireWithin(address);
    if (!slab.arena().use()) {
      return Use.NONE;
    }
    Use use = new Use(slab.arena(), resolve(slab, address));
    if (slab.isOpen()) {
      return use;
    }
    use.close();
    return Use.NONE;
  }

  /** The slab of an address that is this device's and was not given up. */
  private Slab requireOwn(DeviceAddress address) {
    Slab slab = requireWithin(address);
    if (!slab.isOpen()) {
      throw new IllegalArgumentException(address + " was given up by " + context);
    }
    return slab;
  }

  private Slab requireWithin(DeviceAddress address) {
    List<Slab> known = all;
    long index = address.offset() / options.slabBytes();
    if (isOwn(address) && index < known.size()) {
      Slab slab = known.get((int) index);
      if (address.bytes() <= slab.arena().bytes() - (address.offset() - slab.offset())) {
        return slab;
      }
    }
    throw new IllegalArgumentException(address + " is not an address of " + context);
  }

  /** Ends the files of all slabs: no process opens them any more. There will be no others. */
  synchronized void end() {
    ended = true;
    all.forEach(Slab::end);
  }

  /** Ends the device's use of all slabs. */
  void endUse() {
    all.forEach(Slab::endUse);
  }

  /** Leaves all memory to the end of the process. */
  synchronized void keepToTheEnd() {
    ended = true;
    all.forEach(slab -> slab.arena().keepToTheEnd());
    endUse();
  }
}

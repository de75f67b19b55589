package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.ExtentAllocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one device: slabs of one length, the last of which may be shorter. Offsets count
 * through all of them, and no allocation crosses their ends. Thread-safe.
 */
final class Slabs {
  private final long number = DeviceAddress.newDevice();
  private final String device;
  private final List<Slab> all;
  private final long slabBytes;
  private final ExtentAllocator extents;

  private Slabs(String device, CudaOptions options, List<Slab> all) {
    this.device = device;
    this.all = List.copyOf(all);
    this.slabBytes = options.slabBytes();
    extents = new ExtentAllocator(device, options.capacityBytes(), slabBytes);
  }

  /**
   * Allocates all slabs.
   *
   * @param sign of their device
   * @throws IOException if the GPU has no such room; nothing stays allocated then
   */
  static Slabs allocate(Driver driver, CudaContext context, CudaOptions options, OwnerSign sign)
      throws IOException {
    List<Slab> slabs = new ArrayList<>();
    CudaArena arena = null;
    try {
      for (long left = options.capacityBytes(); left > 0; left -= options.slabBytes()) {
        arena = CudaArena.allocate(driver, options, Math.min(left, options.slabBytes()));
        slabs.add(new Slab(context, arena, sign, options.capacityBytes() - left));
        arena = null;
      }
      return new Slabs(context.toString(), options, slabs);
    } catch (IOException | RuntimeException e) {
      slabs.forEach(Slab::end);
      CudaArena last = arena;
      Teardown.run(
          context,
          () -> {
            slabs.forEach(Slab::endUse);
            if (last != null) {
              last.endUse();
            }
          });
      throw e;
    }
  }

  DeviceAddress allocate(long bytes) throws IOException {
    return new DeviceAddress(number, extents.allocate(bytes), bytes);
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
    Slab slab = requireOwn(address);
    if (address.bytes() < slab.arena().bytes()) {
      free(address);
      return null;
    } else if (!extents.isAllocated(address.offset(), address.bytes())) {
      throw new IllegalArgumentException(address + " is not allocated on " + device);
    }
    return slab.giveUp() ? slab : null;
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
    Slab slab = requireOwn(address);
    return slab.arena().address() + address.offset() - slab.offset();
  }

  /** A use of memory that may be given up at any time, and is not freed before this is closed. */
  record Use(@Nullable CudaArena arena, boolean isOpen) implements AutoCloseable {
    /** Of memory of a peer, which the call of the device holds. */
    static final Use OF_A_PEER = new Use(null, true);

    private static final Use NONE = new Use(null, false);

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
    Use use = new Use(slab.arena(), true);
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
      throw new IllegalArgumentException(address + " was given up by " + device);
    }
    return slab;
  }

  private Slab requireWithin(DeviceAddress address) {
    long index = address.offset() / slabBytes;
    if (isOwn(address) && index < all.size()) {
      Slab slab = all.get((int) index);
      if (address.bytes() <= slab.arena().bytes() - (address.offset() - slab.offset())) {
        return slab;
      }
    }
    throw new IllegalArgumentException(address + " is not an address of " + device);
  }

  /** Ends the files of all slabs: no process opens them any more. */
  void end() {
    all.forEach(Slab::end);
  }

  /** Ends the device's use of all slabs. */
  void endUse() {
    all.forEach(Slab::endUse);
  }

  /** Leaves all memory to the end of the process. */
  void keepToTheEnd() {
    all.forEach(slab -> slab.arena().keepToTheEnd());
    endUse();
  }
}

package io.cairn.cache.memory;

import io.cairn.core.session.Region;

/**
 * Memory of the application: the source of a capture and the target of a restore. It keeps the
 * memory's owner reachable. Immutable, but for the bytes that it names; thread-safe.
 */
public sealed interface CaptureSource permits HostMemory, DeviceResident {
  /** Length in bytes. */
  long bytes();

  /**
   * Whether both share a byte. Host memory must be memory that the calling thread may write now.
   */
  boolean overlaps(CaptureSource other);

  /**
   * This source, for an engine that copies from and to host memory alone.
   *
   * @throws IllegalArgumentException naming the region, the engine and the remedy, if the memory
   *     lies on a device
   */
  HostMemory requireHost(CopyEngine engine);

  /**
   * The memory that a region names; reads none of it.
   *
   * @throws IllegalArgumentException naming the region and the kinds that can be captured, if it is
   *     of another kind
   */
  static CaptureSource of(Region.Span region) {
    if (region instanceof Region.Memory memory) {
      return HostMemory.of(memory);
    } else if (region instanceof Region.Address address) {
      return HostMemory.of(address);
    } else if (region instanceof Region.OnDevice resident) {
      return new DeviceResident(resident);
    }
    throw new IllegalArgumentException("no source of captures: " + region);
  }
}

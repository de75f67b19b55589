package io.cairn.cache.memory;

import io.cairn.Region;
import java.util.Locale;

/**
 * Memory of the application that lies on a device. Only a device memory that reaches the device
 * copies from and to it, in the order that the region asks for; no host thread touches its address.
 *
 * @param region names device, address, length and order
 */
public record DeviceResident(Region.OnDevice region) implements CaptureSource {
  @Override
  public long bytes() {
    return region.bytes();
  }

  /** Whether both share a byte. */
  boolean shares(DeviceResident that) {
    return region.device().equals(that.region.device())
        && bytes() > 0
        && that.bytes() > 0
        && (isWithin(that) || that.isWithin(this));
  }

  /** Whether it begins in the other. Addresses are unsigned. */
  private boolean isWithin(DeviceResident other) {
    long distance = region.address() - other.region.address();
    return Long.compareUnsigned(distance, other.bytes()) < 0;
  }

  @Override
  public HostMemory requireHost(CopyEngine engine) {
    throw unreachableBy(engine);
  }

  /** The refusal of an engine that does not reach this memory: what, where, and the remedy. */
  public IllegalArgumentException unreachableBy(CopyEngine engine) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            ("region %s: %d bytes at 0x%x of device %s are out of reach of %s; protect a copy of it"
                + " in host memory, or open Cairn on a device memory that reaches device %s"),
            region.name(),
            region.bytes(),
            region.address(),
            region.device(),
            engine.describe(),
            region.device()));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "region %s, %d bytes at 0x%x of device %s",
        region.name(),
        region.bytes(),
        region.address(),
        region.device());
  }
}

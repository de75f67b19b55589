package io.cairn.core.flow;

import java.util.List;

/**
 * A host link that several devices share, such as two GPUs behind one PCIe switch. It bounds the
 * rate at which they together send to the host, besides each one's own host rate.
 *
 * @param devices at least one; a device is in at most one shared host link
 * @param bytesPerSecond finite, not negative
 */
public record SharedHostLink(List<Integer> devices, double bytesPerSecond) {
  /** Copies the list. */
  public SharedHostLink {
    devices = List.copyOf(devices);
    Rates.require(bytesPerSecond, "the rate of the host link shared by devices " + devices);
  }
}

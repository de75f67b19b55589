package io.cairn.adjoint.history;

import io.cairn.Region;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.GatheredSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * The regions of one kind of state, such as those from which a step runs, or those that its
 * reversal reads. The program's thread owns it.
 */
public final class RegionSet {
  private record Protected(String name, CaptureSource memory, LongSupplier bytesNow) {}

  private static final long ALL = -1;

  private final DeviceMemory device;
  private final List<Protected> regions = new ArrayList<>();
  private long[] sizes = new long[0];

  RegionSet(DeviceMemory device) {
    this.device = device;
  }

  /**
   * Adds a region of which only the first bytes count, such as a compressed state. A restore writes
   * as many bytes as were stored.
   *
   * @param region a span of memory; no blob, and none that moves
   * @param bytesNow how many, or -1 for all; asked at each store
   * @throws IllegalArgumentException if there is one of that name, or the device does not reach it
   */
  public void protect(Region region, LongSupplier bytesNow) {
    add(region, locate(region), bytesNow);
  }

  /**
   * Adds a region.
   *
   * @param region a span of memory; no blob, and none that moves
   * @throws IllegalArgumentException if there is one of that name, or the device does not reach it
   */
  public void protect(Region region) {
    add(region, locate(region), () -> ALL);
  }

  private CaptureSource locate(Region region) {
    if (region instanceof Region.Span span) {
      return requireWhole(region, device.locate(span));
    }
    throw new IllegalArgumentException(
        "region %s: a history keeps memory in its place; protect the memory, and say how many of its bytes count"
            .formatted(region.name()));
  }

  private static CaptureSource requireWhole(Region region, CaptureSource memory) {
    if (memory instanceof GatheredSource) {
      throw new IllegalArgumentException(
          "region %s: a history gathers spans of host memory alone; protect each span of a device by itself"
              .formatted(region.name()));
    }
    return memory;
  }

  private void add(Region region, CaptureSource memory, LongSupplier bytesNow) {
    for (Protected each : regions) {
      if (each.name().equals(region.name())) {
        throw new IllegalArgumentException("region " + region.name() + " is protected already");
      }
    }
    regions.add(new Protected(region.name(), memory, bytesNow));
    sizes = new long[regions.size()];
  }

  int count() {
    return regions.size();
  }

  /** The sizes of now, in an array that the next call fills again. */
  long[] sizes() {
    for (int i = 0; i < sizes.length; i++) {
      long now = regions.get(i).bytesNow().getAsLong();
      sizes[i] = now == ALL ? memory(i).bytes() : now;
      if (sizes[i] < 0 || sizes[i] > memory(i).bytes()) {
        throw new HistoryException(
            String.format(
                Locale.ROOT,
                "region %s says that it has %d bytes; its memory has %d",
                regions.get(i).name(),
                sizes[i],
                memory(i).bytes()));
      }
    }
    return sizes;
  }

  /** Bytes of all regions together, as they are now. */
  public long bytes() {
    long all = 0;
    for (long each : sizes()) {
      all += each;
    }
    return all;
  }

  CaptureSource memory(int region) {
    return regions.get(region).memory();
  }

  /**
   * Checks that a state fits the regions of now.
   *
   * @throws HistoryException naming the state, if it does not
   */
  void requireFit(State state) {
    if (state.regions != regions.size()) {
      throw new HistoryException(
          String.format(
              Locale.ROOT,
              "step %d was stored with %d regions; now there are %d",
              state.step,
              state.regions,
              regions.size()));
    }
    for (int i = 0; i < state.regions; i++) {
      if (state.bytes[i] > memory(i).bytes()) {
        throw new HistoryException(
            String.format(
                Locale.ROOT,
                "step %d has %d bytes of region %s; its memory has %d",
                state.step,
                state.bytes[i],
                regions.get(i).name(),
                memory(i).bytes()));
      }
    }
  }
}

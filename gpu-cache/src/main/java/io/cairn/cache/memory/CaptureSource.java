package io.cairn.cache.memory;

import io.cairn.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Memory of the application: the source of a capture and the target of a restore. It keeps the
 * memory's owner reachable. Immutable, but for the bytes that it names; thread-safe.
 */
public sealed interface CaptureSource permits HostMemory, DeviceResident, GatheredSource {
  /** Length in bytes. */
  long bytes();

  /**
   * Whether both share a byte. Host memory must be memory that the calling thread may write now.
   */
  default boolean overlaps(CaptureSource other) {
    return SharedSpans.exists(spans(), other.spans());
  }

  /** The contiguous spans of which it consists, none of them empty unless it is the only one. */
  default List<? extends CaptureSource> spans() {
    return List.of(this);
  }

  /**
   * This source, for an engine that copies from and to host memory alone.
   *
   * @throws IllegalArgumentException naming the region, the engine and the remedy, if the memory
   *     lies on a device
   */
  HostMemory requireHost(CopyEngine engine);

  /**
   * The memory that a region names; reads none of it. For spans that are gathered, the calling
   * thread must own the memory.
   *
   * @throws IllegalArgumentException naming the region and the kinds that can be captured, if it is
   *     of another kind; naming two spans, if they share memory
   */
  static CaptureSource of(Region.Span region) {
    if (region instanceof Region.Memory memory) {
      return HostMemory.of(memory);
    } else if (region instanceof Region.Address address) {
      return HostMemory.of(address);
    } else if (region instanceof Region.OnDevice resident) {
      return new DeviceResident(resident);
    } else if (region instanceof Region.Gather gather) {
      return of(gather);
    }
    throw new IllegalArgumentException("no source of captures: " + region);
  }

  private static CaptureSource of(Region.Gather gather) {
    List<CaptureSource> spans = new ArrayList<>(gather.spans().size());
    boolean onHost = true;
    for (int span = 0; span < gather.spans().size(); span++) {
      CaptureSource source = of(gather, span);
      if (source.bytes() > 0) {
        spans.add(source);
        onHost &= source instanceof HostMemory;
      }
    }
    SharedSpans.requireNone(gather.name(), spans);
    return onHost
        ? new GatheredHost(spans.stream().map(HostMemory.class::cast).toList())
        : new GatheredSource(spans);
  }

  private static CaptureSource of(Region.Gather gather, int span) {
    try {
      return of(gather.spans().get(span));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "region %s, span %d of %d: %s",
              gather.name(),
              span,
              gather.spans().size(),
              e.getMessage()),
          e);
    }
  }
}

package io.cairn.cache.capture;

import io.cairn.MirroredMemory;
import io.cairn.Region;
import io.cairn.cache.memory.DeviceMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * A region's span, with each part that a library keeps on a device and in host memory on the side
 * that a device memory reaches. The training thread calls all methods.
 *
 * @param span to be captured and restored
 * @param parts those with two sides
 */
record MirroredSpans(Region.Span span, List<Part> parts) {
  /** One part, and the side on which it is captured. */
  record Part(MirroredMemory memory, MirroredMemory.Side side) {}

  /** The sides that {@code device} reaches; the newest bytes are there. */
  static MirroredSpans of(Region.Span asked, DeviceMemory device) {
    List<Part> parts = new ArrayList<>();
    return new MirroredSpans(reached(asked, device, parts), parts);
  }

  private static Region.Span reached(Region.Span span, DeviceMemory device, List<Part> parts) {
    if (span instanceof Region.Gather gather) {
      return new Region.Gather(
          gather.name(),
          gather.spans().stream().map(each -> reached(each, device, parts)).toList());
    } else if (span instanceof Region.OnDevice resident
        && resident.owner() instanceof MirroredMemory memory) {
      return reached(resident, memory, device, parts);
    }
    return span;
  }

  private static Region.Span reached(
      Region.OnDevice span, MirroredMemory memory, DeviceMemory device, List<Part> parts) {
    boolean reaches = device.reaches(span.device());
    Part part = new Part(memory, reaches ? MirroredMemory.Side.DEVICE : MirroredMemory.Side.HOST);
    parts.add(part);
    memory.bringTo(part.side());
    return reaches
        ? span
        : new Region.Address(span.name(), memory.hostAddress(), span.bytes(), memory, span.kind());
  }

  /** Brings the newest bytes of all parts to the sides that are captured. */
  void bring() {
    parts.forEach(part -> part.memory().bringTo(part.side()));
  }

  /** A restore wrote the sides that are captured. */
  void written() {
    parts.forEach(part -> part.memory().written(part.side()));
  }
}

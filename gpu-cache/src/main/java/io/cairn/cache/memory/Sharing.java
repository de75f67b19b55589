package io.cairn.cache.memory;

import java.util.List;

/**
 * Finds spans that share memory. The calling thread must own all of it, since the check may change
 * a byte of direct buffers for a moment.
 */
final class Sharing {
  private Sharing() {}

  /** Whether a span of one list shares a byte with one of the other. O(product of both). */
  static boolean exists(List<? extends CaptureSource> some, List<? extends CaptureSource> others) {
    for (CaptureSource one : some) {
      for (CaptureSource other : others) {
        if (share(one, other)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Checks that no two spans share a byte. O(square of the spans), with some nanoseconds each.
   *
   * @throws IllegalArgumentException naming the region and two spans, if they do
   */
  static void requireNone(String region, List<? extends CaptureSource> spans) {
    for (int later = 0; later < spans.size(); later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        if (share(spans.get(earlier), spans.get(later))) {
          throw new IllegalArgumentException(
              "region %s: spans %d and %d share memory; name each byte once"
                  .formatted(region, earlier, later));
        }
      }
    }
  }

  /** Of two spans that are not gathered. */
  private static boolean share(CaptureSource one, CaptureSource other) {
    if (one instanceof ArrayMemory array) {
      return other instanceof ArrayMemory that && array.shares(that);
    } else if (one instanceof BufferMemory buffer) {
      return other instanceof BufferMemory that && buffer.shares(that);
    } else if (one instanceof DeviceResident resident) {
      return other instanceof DeviceResident that && resident.shares(that);
    }
    throw new AssertionError(one);
  }
}

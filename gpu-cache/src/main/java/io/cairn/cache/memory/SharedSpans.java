package io.cairn.cache.memory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Finds spans that share memory. The calling thread must own all of it, since the check may change
 * a byte of direct buffers for a moment. O(spans log spans), and a comparison for each pair of
 * spans that may share a byte by what is known of their addresses. Not thread-safe.
 */
final class SharedSpans {
  private final List<CaptureSource> spans = new ArrayList<>();

  /** By array, or by the kind of memory. */
  private final IdentityHashMap<Object, List<Extent>> extents = new IdentityHashMap<>();

  /** Where a span may lie: addresses without sign, from a place on that all of its kind share. */
  private record Extent(int span, long start, long end) {}

  /** Two spans, by their numbers. */
  private record Pair(int earlier, int later) {}

  private SharedSpans() {}

  /** Whether a span of one list shares a byte with one of the other. */
  static boolean exists(List<? extends CaptureSource> some, List<? extends CaptureSource> others) {
    SharedSpans all = new SharedSpans();
    some.forEach(all::add);
    others.forEach(all::add);
    return all.first((one, other) -> one < some.size() != other < some.size()).isPresent();
  }

  /**
   * Checks that no two spans share a byte.
   *
   * @throws IllegalArgumentException naming the region and two spans, if they do
   */
  static void requireNone(String region, List<? extends CaptureSource> spans) {
    SharedSpans all = new SharedSpans();
    spans.forEach(all::add);
    all.first((one, other) -> true)
        .ifPresent(
            pair -> {
              throw new IllegalArgumentException(
                  String.format(
                      Locale.ROOT,
                      "region %s: spans %d and %d share memory; name each byte once",
                      region,
                      pair.earlier(),
                      pair.later()));
            });
  }

  private void add(CaptureSource span) {
    if (span instanceof ArrayMemory array) {
      add(array.array(), array.start(), (long) array.start() + array.length());
    } else if (span instanceof DeviceResident resident) {
      long address = resident.region().address();
      add(DeviceResident.class, address, address + resident.bytes());
    } else if (span instanceof BufferMemory buffer) {
      buffer.windows().forEach(this::add);
    } else {
      throw new AssertionError(span);
    }
    spans.add(span);
  }

  /** Of a direct buffer's address only the lowest bits are known; its end may be past their end. */
  private void add(ByteBuffer window) {
    long start = Aliasing.lowBits(window);
    long end = start + window.capacity();
    add(BufferMemory.class, start, end);
    if (end > Aliasing.MODULUS) {
      add(BufferMemory.class, 0, end - Aliasing.MODULUS);
    }
  }

  private void add(Object place, long start, long end) {
    extents
        .computeIfAbsent(place, p -> new ArrayList<>())
        .add(new Extent(spans.size(), start, end));
  }

  private Optional<Pair> first(BiPredicate<Integer, Integer> wanted) {
    return extents.values().stream().flatMap(each -> first(each, wanted).stream()).findFirst();
  }

  private Optional<Pair> first(List<Extent> ofPlace, BiPredicate<Integer, Integer> wanted) {
    ofPlace.sort((one, other) -> Long.compareUnsigned(one.start(), other.start()));
    for (int i = 0; i < ofPlace.size(); i++) {
      Extent one = ofPlace.get(i);
      for (int k = i + 1; k < ofPlace.size(); k++) {
        Extent other = ofPlace.get(k);
        if (Long.compareUnsigned(other.start(), one.end()) >= 0) {
          break;
        }
        if (wanted.test(one.span(), other.span()) && share(one.span(), other.span())) {
          return Optional.of(
              new Pair(Math.min(one.span(), other.span()), Math.max(one.span(), other.span())));
        }
      }
    }
    return Optional.empty();
  }

  private boolean share(int one, int other) {
    CaptureSource first = spans.get(one);
    CaptureSource second = spans.get(other);
    if (one == other) {
      return false; // an extent of a buffer that has two
    } else if (first instanceof ArrayMemory array) {
      return array.shares((ArrayMemory) second);
    } else if (first instanceof DeviceResident resident) {
      return resident.shares((DeviceResident) second);
    }
    return ((BufferMemory) first).shares((BufferMemory) second);
  }
}

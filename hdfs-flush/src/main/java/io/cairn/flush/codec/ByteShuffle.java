package io.cairn.flush.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Sorts the bytes of equal elements by their place: first the first byte of each, then the second
 * byte of each, and so on. The upper bytes of floats resemble each other, so a compression finds
 * more in them side by side. Bytes after the last whole element follow as they are.
 */
final class ByteShuffle {
  /** Elements that are moved at once: a long of bytes per place. */
  private static final int GROUP = Long.BYTES;

  private ByteShuffle() {}

  /**
   * Sorts.
   *
   * @param from its first {@code bytes} bytes; unchanged
   * @param elementBytes of one element
   * @param planes receives as many bytes from index 0 on; its order is little-endian afterwards
   */
  static void shuffle(ByteBuffer from, int bytes, int elementBytes, ByteBuffer planes) {
    planes.order(ByteOrder.LITTLE_ENDIAN);
    int elements = bytes / elementBytes;
    int grouped = elements - elements % GROUP;
    for (int first = 0; first < grouped; first += GROUP) {
      for (int place = 0; place < elementBytes; place++) {
        int at = first * elementBytes + place;
        long eight = 0;
        for (int i = 0; i < GROUP; i++) {
          eight |= (from.get(at + i * elementBytes) & 0xffL) << (Byte.SIZE * i);
        }
        planes.putLong(place * elements + first, eight);
      }
    }
    for (int element = grouped; element < elements; element++) {
      for (int place = 0; place < elementBytes; place++) {
        planes.put(place * elements + element, from.get(element * elementBytes + place));
      }
    }
    int sorted = elements * elementBytes;
    planes.put(sorted, from, sorted, bytes - sorted);
  }

  /**
   * Puts the bytes back.
   *
   * @param planes its first bytes, as many as {@code into} takes; its order is little-endian
   *     afterwards
   * @param into filled from position to limit, which are unchanged
   */
  static void restore(ByteBuffer planes, int elementBytes, ByteBuffer into) {
    planes.order(ByteOrder.LITTLE_ENDIAN);
    int base = into.position();
    int bytes = into.remaining();
    int elements = bytes / elementBytes;
    int grouped = elements - elements % GROUP;
    for (int first = 0; first < grouped; first += GROUP) {
      for (int place = 0; place < elementBytes; place++) {
        int at = base + first * elementBytes + place;
        long eight = planes.getLong(place * elements + first);
        for (int i = 0; i < GROUP; i++) {
          into.put(at + i * elementBytes, (byte) (eight >>> (Byte.SIZE * i)));
        }
      }
    }
    for (int element = grouped; element < elements; element++) {
      for (int place = 0; place < elementBytes; place++) {
        into.put(base + element * elementBytes + place, planes.get(place * elements + element));
      }
    }
    int sorted = elements * elementBytes;
    into.put(base + sorted, planes, sorted, bytes - sorted);
  }
}

package io.cairn.flush.format;

import io.cairn.Digest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Finds the index of a container whose trailer is damaged or cut off, by its magic. The digest of a
 * manifest proves it. Without one, an index counts that reads as a whole up to a trailer or the end
 * of the file; the checksums of the chunks then show whether it belongs to them. Stateless.
 */
final class LostIndex {
  private static final int TAIL_BYTES = ContainerIndex.MAX_BYTES + ContainerTrailer.BYTES;

  /** The most places that are tried, so that a hostile file costs no more than an index. */
  private static final int MOST_PLACES = 64;

  private LostIndex() {}

  /** An index, and where it lies. */
  record Found(ContainerIndex index, long at, int bytes, Digest digest) {}

  /**
   * Looks at the end of the file, which has room for the longest index. O(its bytes), and memory
   * for them.
   */
  static Optional<Found> find(
      StoreInput input, String file, ContainerVersion version, Optional<ContainerSummary> expected)
      throws IOException {
    long from = Math.max(ContainerHeader.BYTES, input.length() - TAIL_BYTES);
    int length = (int) Math.max(0, input.length() - from);
    ByteBuffer tail = ByteBuffer.allocate(length);
    input.readFully(from, tail);
    tail.flip();
    int places = 0;
    for (int at = length - Long.BYTES; at >= 0 && places < MOST_PLACES; at--) {
      if (tail.getLong(at) == ContainerIndex.MAGIC) {
        places++;
        ByteBuffer rest = tail.slice(at, length - at);
        Optional<Found> found =
            expected.isPresent()
                ? proven(rest, file, from + at, version, expected.get())
                : likely(rest, file, from + at, version);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Found> proven(
      ByteBuffer rest, String file, long at, ContainerVersion version, ContainerSummary expected) {
    long bytes = expected.bytes() - ContainerTrailer.BYTES - at;
    if (bytes <= 0 || bytes > rest.limit()) {
      return Optional.empty();
    }
    return decode(rest.slice(0, (int) bytes), file, at, version)
        .filter(found -> found.digest().equals(expected.indexDigest()));
  }

  /** Of the trailer any number of bytes may be left. */
  private static Optional<Found> likely(
      ByteBuffer rest, String file, long at, ContainerVersion version) {
    Optional<Found> found = Optional.empty();
    for (int left = ContainerTrailer.BYTES; left >= 0 && found.isEmpty(); left--) {
      if (left <= rest.limit()) {
        found = decode(rest.slice(0, rest.limit() - left), file, at, version);
      }
    }
    return found;
  }

  private static Optional<Found> decode(
      ByteBuffer bytes, String file, long at, ContainerVersion version) {
    try {
      ContainerIndex index = ContainerIndex.decode(bytes.duplicate(), file, at, version);
      return Optional.of(new Found(index, at, bytes.limit(), Digest.of(bytes)));
    } catch (FormatException e) {
      return Optional.empty(); // these bytes only begin like an index
    }
  }
}

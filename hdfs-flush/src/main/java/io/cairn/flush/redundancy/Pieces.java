package io.cairn.flush.redundancy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Checks the arguments of {@link RedundancyScheme#compute}. Stateless. */
final class Pieces {
  private Pieces() {}

  /**
   * Requires that the wanted piece is absent, and that enough others of one length are present.
   *
   * @return that length
   * @throws IllegalArgumentException naming the difference
   */
  static int requireComputable(
      RedundancyScheme code, List<Optional<ByteBuffer>> pieces, int wanted, ByteBuffer into) {
    List<Integer> lengths =
        pieces.stream().flatMap(Optional::stream).map(ByteBuffer::remaining).toList();
    if (pieces.size() != code.data() + code.parities() || pieces.get(wanted).isPresent()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "piece %d of %d is present, or not one of %d + %d",
              wanted,
              pieces.size(),
              code.data(),
              code.parities()));
    } else if (lengths.size() != code.data() || lengths.stream().distinct().count() != 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s needs %d pieces of equal length, not those of %s bytes",
              code.name(),
              code.data(),
              lengths));
    } else if (into.remaining() < lengths.get(0)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "no room for %d bytes, but for %d", lengths.get(0), into.remaining()));
    }
    return lengths.get(0);
  }
}

package io.cairn.flush.codec;

import io.cairn.Compression;
import java.io.IOException;
import java.util.List;

/** The encodings that each compression chooses from. Stateless. */
public final class Encodings {
  private Encodings() {}

  /** The encodings of a compression, besides {@link Encoding#RAW}. */
  static List<Encoding> of(Compression compression) {
    return switch (compression) {
      case NONE -> List.of();
      case LZ4 -> List.of(Encoding.LZ4);
      case ZSTD -> List.of(Encoding.ZSTD);
      case SHUFFLE_ZSTD ->
          List.of(Encoding.ZSTD, Encoding.ZSTD_OF_2, Encoding.ZSTD_OF_4, Encoding.ZSTD_OF_8);
      case ADAPTIVE ->
          List.of(
              Encoding.LZ4,
              Encoding.ZSTD,
              Encoding.ZSTD_OF_2,
              Encoding.ZSTD_OF_4,
              Encoding.ZSTD_OF_8);
    };
  }

  /**
   * Loads the libraries that a compression needs.
   *
   * @throws IOException if one is absent; the message names it
   */
  public static void requireLibraries(Compression compression) throws IOException {
    for (Encoding each : of(compression)) {
      if (each.method().isPresent()) {
        each.method().get().open().close();
      }
    }
  }
}

package io.cairn.flush.codec;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How a writer compresses chunks. A chunk that does not shrink is stored as it is. */
public enum Compression {
  /** Not at all. */
  NONE,
  /** LZ4. */
  LZ4,
  /** Zstandard. */
  ZSTD,
  /** Zstandard after the bytes of elements are sorted, where that makes a chunk shorter. */
  SHUFFLE_ZSTD,
  /** One of these or nothing, by which a chunk is written soonest. */
  ADAPTIVE;

  /** Its name in settings, such as {@code shuffle-zstd}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The compression with a label; empty if there is none. */
  public static Optional<Compression> of(String label) {
    return List.of(values()).stream().filter(each -> each.label().equals(label)).findFirst();
  }

  /**
   * Loads the libraries that it needs.
   *
   * @throws IOException if one is absent; the message names it
   */
  public void requireLibraries() throws IOException {
    for (Encoding each : candidates()) {
      if (each.method().isPresent()) {
        each.method().get().open().close();
      }
    }
  }

  /** The encodings that it chooses from, besides {@link Encoding#RAW}. */
  List<Encoding> candidates() {
    return switch (this) {
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
}

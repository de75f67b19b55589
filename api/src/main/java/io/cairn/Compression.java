package io.cairn;

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
}

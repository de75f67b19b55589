package io.cairn.flush.format;

import java.util.Optional;

/** A version of containers. They differ in what the index holds of a chunk. */
enum ContainerVersion {
  /** Every chunk lies in the file as it was captured. */
  PLAIN(1, 12),
  /** Every chunk lies in the file in an encoding. */
  ENCODED(2, 40);

  private final int number;
  private final int chunkBytes;

  ContainerVersion(int number, int chunkBytes) {
    this.number = number;
    this.chunkBytes = chunkBytes;
  }

  /** The number in a header. */
  int number() {
    return number;
  }

  /** Length of a chunk's entry in an index. */
  int chunkBytes() {
    return chunkBytes;
  }

  /** The version with a number; empty if this program knows none. */
  static Optional<ContainerVersion> of(int number) {
    return number == PLAIN.number
        ? Optional.of(PLAIN)
        : number == ENCODED.number ? Optional.of(ENCODED) : Optional.empty();
  }
}

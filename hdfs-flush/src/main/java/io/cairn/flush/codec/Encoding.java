package io.cairn.flush.codec;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The form of a chunk's bytes in a container. The numbers are part of the format. */
public enum Encoding {
  /** As captured. */
  RAW(0, null, 1),
  /** A block of LZ4. */
  LZ4(1, Method.LZ4, 1),
  /** A frame of Zstandard. */
  ZSTD(2, Method.ZSTD, 1),
  /** Frames of Zstandard over bytes that were sorted by their place in elements of 2 bytes. */
  ZSTD_OF_2(3, Method.ZSTD, 2),
  /** The same, in elements of 4 bytes. */
  ZSTD_OF_4(4, Method.ZSTD, 4),
  /** The same, in elements of 8 bytes. */
  ZSTD_OF_8(5, Method.ZSTD, 8);

  private static final Encoding[] BY_NUMBER = values();

  private final int number;
  private final Optional<Method> method;
  private final int elementBytes;

  Encoding(int number, @Nullable Method method, int elementBytes) {
    this.number = number;
    this.method = Optional.ofNullable(method);
    this.elementBytes = elementBytes;
  }

  /** The number in an index. */
  public int number() {
    return number;
  }

  /** The encoding with a number; empty if this version knows none. */
  public static Optional<Encoding> of(int number) {
    return number >= 0 && number < BY_NUMBER.length
        ? Optional.of(BY_NUMBER[number])
        : Optional.empty();
  }

  /** The compression; empty for {@link #RAW}. */
  Optional<Method> method() {
    return method;
  }

  /** The length of the elements whose bytes are sorted; 1 if they are not. */
  int elementBytes() {
    return elementBytes;
  }
}

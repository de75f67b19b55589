package io.cairn.flush.redundancy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A code over pieces of equal length: those of the data first, then the parities. Each byte depends
 * only on the bytes at the same position. Not thread-safe.
 */
public sealed interface RedundancyScheme permits XorCode, ReedSolomonCode {
  /** The most pieces of data, and the most parities, of any code. */
  int MOST_PIECES = 64;

  /** The name in settings, orders and files. */
  String name();

  /** Pieces of data. */
  int data();

  /** Parities; so many pieces may be lost at once. */
  int parities();

  /**
   * Computes one piece from others.
   *
   * @param pieces by their index, {@link #data()} of them present, with equal numbers of remaining
   *     bytes; their positions stay
   * @param wanted index of a piece that is absent
   * @param into receives as many bytes, which are overwritten; its position advances
   * @throws IllegalArgumentException if another number of pieces is present, the piece is present,
   *     or lengths differ
   */
  void compute(List<Optional<ByteBuffer>> pieces, int wanted, ByteBuffer into);

  /**
   * The code of a name.
   *
   * @throws IllegalArgumentException if there is none of this name and size
   */
  static RedundancyScheme of(String name, int data, int parities) {
    return switch (name) {
      case XorCode.NAME -> {
        if (parities != 1) {
          throw new IllegalArgumentException(XorCode.NAME + " has 1 parity, not " + parities);
        }
        yield new XorCode(data);
      }
      case ReedSolomonCode.NAME -> new ReedSolomonCode(data, parities);
      default -> throw new IllegalArgumentException("no code is named '" + name + "'");
    };
  }
}

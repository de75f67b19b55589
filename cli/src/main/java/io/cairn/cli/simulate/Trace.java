package io.cairn.cli.simulate;

import java.util.Arrays;
import java.util.stream.LongStream;

/** How many bytes each rank had to keep at each snapshot. Immutable; snapshots are in order. */
final class Trace {
  private final String name;
  private final long[] numbers;
  private final long[][] bytes;

  /**
   * A trace.
   *
   * @param numbers of the snapshots, rising
   * @param bytes by snapshot and rank, not negative, each snapshot with as many ranks
   */
  Trace(String name, long[] numbers, long[][] bytes) {
    this.name = name;
    this.numbers = numbers.clone();
    this.bytes = Arrays.stream(bytes).map(long[]::clone).toArray(long[][]::new);
  }

  String name() {
    return name;
  }

  int snapshots() {
    return bytes.length;
  }

  int ranks() {
    return bytes[0].length;
  }

  /** The number that the trace gives a snapshot. */
  long number(int snapshot) {
    return numbers[snapshot];
  }

  long bytes(int snapshot, int rank) {
    return bytes[snapshot][rank];
  }

  /** The sizes of all ranks at a snapshot. */
  LongStream at(int snapshot) {
    return Arrays.stream(bytes[snapshot]);
  }

  /** Every size of the trace. */
  LongStream all() {
    return Arrays.stream(bytes).flatMapToLong(Arrays::stream);
  }

  /**
   * This trace with each rank's sizes in proportion, so that they sum up to this many bytes.
   *
   * @throws IllegalArgumentException if a rank keeps nothing at all
   */
  Trace scaledTo(double totalBytes) {
    long[][] scaled = new long[snapshots()][ranks()];
    for (int rank = 0; rank < ranks(); rank++) {
      double total = 0;
      for (long[] snapshot : bytes) {
        total += snapshot[rank];
      }
      if (total == 0) {
        throw new IllegalArgumentException(
            "%s: rank %d keeps 0 bytes in all, which no scale turns into %s"
                .formatted(name, rank, totalBytes));
      }
      for (int snapshot = 0; snapshot < snapshots(); snapshot++) {
        scaled[snapshot][rank] = Math.round(bytes[snapshot][rank] * (totalBytes / total));
      }
    }
    return new Trace(name, numbers, scaled);
  }
}

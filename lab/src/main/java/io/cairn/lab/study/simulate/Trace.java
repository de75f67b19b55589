package io.cairn.lab.study.simulate;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.LongStream;

/** How many bytes each rank had to keep at each snapshot. Immutable; snapshots are in order. */
public final class Trace {
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

  /** Its name. */
  public String name() {
    return name;
  }

  /** How many snapshots there are; they are 0 to one less. */
  public int snapshots() {
    return bytes.length;
  }

  /** How many ranks there are at each; they are 0 to one less. */
  public int ranks() {
    return bytes[0].length;
  }

  /** The number that the trace gives a snapshot. */
  public long number(int snapshot) {
    return numbers[snapshot];
  }

  /** The bytes that a rank had to keep at a snapshot. */
  public long bytes(int snapshot, int rank) {
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
  public Trace scaledTo(double totalBytes) {
    long[][] scaled = new long[snapshots()][ranks()];
    for (int rank = 0; rank < ranks(); rank++) {
      double total = 0;
      for (long[] snapshot : bytes) {
        total += snapshot[rank];
      }
      if (total == 0) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s: rank %d keeps 0 bytes in all, which no scale turns into %s",
                name,
                rank,
                totalBytes));
      }
      for (int snapshot = 0; snapshot < snapshots(); snapshot++) {
        scaled[snapshot][rank] = Math.round(bytes[snapshot][rank] * (totalBytes / total));
      }
    }
    return new Trace(name, numbers, scaled);
  }
}

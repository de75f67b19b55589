package io.cairn.flush.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How a Hadoop file system keeps the files of a store. An absent value is the file system's own.
 *
 * @param replication copies of each block, 1 to {@value #MOST_REPLICAS}
 * @param blockBytes length of a block, {@value #LEAST_BYTES} to {@value #MOST_BYTES} and a multiple
 *     of {@value #UNIT_BYTES}
 */
public record StoreBlocks(OptionalInt replication, OptionalLong blockBytes) {
  /** As the file system is configured. */
  public static final StoreBlocks DEFAULT =
      new StoreBlocks(OptionalInt.empty(), OptionalLong.empty());

  private static final int MOST_REPLICAS = 512;
  private static final long LEAST_BYTES = 1 << 20;
  private static final long MOST_BYTES = 64L << 30;

  /** HDFS computes a checksum for so many bytes of a block. */
  private static final int UNIT_BYTES = 512;

  /** Checks the ranges. */
  public StoreBlocks {
    int copies = replication.orElse(1);
    if (copies < 1 || copies > MOST_REPLICAS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "store.replication is %d: choose 1 to %d", copies, MOST_REPLICAS));
    }
    long bytes = blockBytes.orElse(LEAST_BYTES);
    if (bytes < LEAST_BYTES || bytes > MOST_BYTES || bytes % UNIT_BYTES != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "store.blockSize is %d bytes: choose 1m to 64g, a multiple of %d bytes",
              bytes,
              UNIT_BYTES));
    }
  }

  /** Whether the file system decides about both. */
  boolean isDefault() {
    return equals(DEFAULT);
  }

  /** Whether a file was made as this asks. */
  boolean isHonouredBy(int copies, long bytes) {
    return replication.orElse(copies) == copies && blockBytes.orElse(bytes) == bytes;
  }

  /** The values that are not left to the file system, by their settings. */
  @Override
  public String toString() {
    List<String> values = new ArrayList<>();
    replication.ifPresent(copies -> values.add("store.replication = " + copies));
    blockBytes.ifPresent(bytes -> values.add("store.blockSize = " + bytes + " bytes"));
    return String.join(" and ", values);
  }
}

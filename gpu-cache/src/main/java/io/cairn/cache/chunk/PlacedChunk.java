package io.cairn.cache.chunk;

import java.util.Locale;

/**
 * One chunk in a slot that was lent.
 *
 * @param region number of its region in the checkpoint's order
 * @param chunk number within the region
 * @param slot by the lender's number
 * @param bytes its length, at most the slot's
 * @param checksum CRC32C
 */
public record PlacedChunk(int region, int chunk, int slot, int bytes, int checksum) {
  /** Checks that no number is negative. */
  public PlacedChunk {
    if (region < 0 || chunk < 0 || slot < 0 || bytes < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "held chunk %d of region %d: %d bytes in slot %d",
              chunk,
              region,
              bytes,
              slot));
    }
  }
}

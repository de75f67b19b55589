package io.cairn.core.sharing;

/**
 * A chunk that a borrower wrote to one slot of its lease.
 *
 * @param position of the slot in the lease, from 0
 * @param chunk its number in the rank's checkpoint
 * @param bytes its length; the last chunk of a region may be shorter than a slot
 * @param checksum CRC32C of these bytes
 */
public record FilledChunk(int position, int chunk, int bytes, int checksum) {
  /** Checks the ranges. */
  public FilledChunk {
    Bounds.range("a position", position, 0, Bounds.MOST_CHUNKS);
    Bounds.range("a chunk's number", chunk, 0, Integer.MAX_VALUE);
    Bounds.range("a chunk's length", bytes, 1, Integer.MAX_VALUE);
  }
}

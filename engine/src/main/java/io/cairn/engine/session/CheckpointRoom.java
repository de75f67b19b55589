package io.cairn.engine.session;

import java.util.Locale;

/**
 * The room that a checkpoint needs in the device cache, and the room that there is.
 *
 * @param chunks that it needs
 * @param slots of the cache, each for one chunk
 * @param chunkBytes of a slot
 */
record CheckpointRoom(int chunks, int slots, int chunkBytes) {
  private static final long MEBIBYTE = 1 << 20;

  /** Whether an empty cache is too small. */
  boolean isTooSmall() {
    return chunks > slots;
  }

  /** Whether the cache holds one checkpoint, and not the next one beside it. */
  boolean isTight() {
    return !isTooSmall() && 2L * chunks > slots;
  }

  /** The sizes, and the setting that helps; for a message. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "no room: a checkpoint takes %s, and the device cache holds %s: set device.cacheSize to %dm"
            + " or more",
        size(chunks),
        size(slots),
        mebibytes(2L * chunks));
  }

  private String size(int count) {
    return String.format(Locale.ROOT, "%d chunks of %d KiB", count, chunkBytes >> 10);
  }

  private long mebibytes(long count) {
    return (count * chunkBytes + MEBIBYTE - 1) / MEBIBYTE;
  }
}

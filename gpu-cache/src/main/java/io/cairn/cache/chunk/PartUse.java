package io.cairn.cache.chunk;

/**
 * A use of a part by a reader: its places stay as they are until the use is closed. Not
 * thread-safe.
 */
final class PartUse implements AutoCloseable {
  private final CachedCheckpoint checkpoint;
  private final Part part;
  private boolean open = true;

  /**
   * Begins a use of the part with a chunk.
   *
   * @throws IllegalStateException if the checkpoint is not pinned
   */
  PartUse(CachedCheckpoint checkpoint, int chunk) {
    this.checkpoint = checkpoint;
    this.part = checkpoint.beginRead(chunk);
  }

  /** The place of a chunk of the part. */
  Place place(int chunk) {
    return part.place(chunk);
  }

  /** Ends the use. Idempotent. */
  @Override
  public void close() {
    if (open) {
      open = false;
      checkpoint.endRead(part);
    }
  }
}

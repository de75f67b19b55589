package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.CopyBatch;

/**
 * Chunks of a batch, with the place to which they are copied.
 *
 * @param target the driver's address of the first
 */
record PlacedRun(CopyBatch.Run run, long target) {
  /** The driver's address of a chunk. */
  long target(int index) {
    return target + run.start(index);
  }
}

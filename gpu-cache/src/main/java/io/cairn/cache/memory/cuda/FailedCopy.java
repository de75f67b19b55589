package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.CopyEvent;
import java.util.function.BooleanSupplier;

/**
 * Copies that failed when they were started.
 *
 * @param ended whether none of them can land any more; on a GPU that does not answer, some may
 */
record FailedCopy(CudaException failure, BooleanSupplier ended) implements CopyEvent {
  @Override
  public boolean isDone() {
    return ended.getAsBoolean();
  }

  @Override
  public void await() throws CudaException {
    throw failure;
  }

  @Override
  public int checksum(int chunk) {
    throw new IllegalStateException("the copy failed", failure);
  }
}

package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.CopyEvent;

/** Copies that failed when they were started, none of which is under way. */
record FailedCopy(CudaException failure) implements CopyEvent {
  @Override
  public boolean isDone() {
    return true;
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

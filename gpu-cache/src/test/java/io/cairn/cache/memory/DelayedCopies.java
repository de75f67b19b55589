package io.cairn.cache.memory;

import java.io.IOException;
import java.util.List;

/**
 * The event of copies on a {@link DelayedDevice}; each look at it lets virtual time pass.
 *
 * @param isFree whether the application may write the sources although copies are under way
 */
record DelayedCopies(DelayedDevice device, List<DelayedCopy> copies, boolean isFree)
    implements CopyEvent {
  @Override
  public boolean isSourceFree() {
    return isFree || isDone();
  }

  @Override
  public boolean isDone() {
    synchronized (device) {
      device.advance();
      return copies.stream().allMatch(DelayedCopy::hasLanded);
    }
  }

  @Override
  public void await() throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    while (!isDone()) {
      Thread.onSpinWait();
    }
    for (DelayedCopy copy : copies) {
      IOException failure = copy.failure();
      if (failure != null) {
        throw new IOException(device.describe() + ": " + failure.getMessage(), failure);
      }
    }
  }

  @Override
  public int checksum(int chunk) {
    synchronized (device) {
      copies.forEach(DelayedCopy::checksum);
      return copies.get(chunk).checksum();
    }
  }
}

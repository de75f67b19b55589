package io.cairn.cache.memory;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The event of copies on a {@link DelayedDevice}; each look at it lets virtual time pass. */
final class DelayedCopies implements CopyEvent {
  private final DelayedDevice device;
  private final List<DelayedCopy> copies;
  private @Nullable Runnable holdUp;
  private boolean isFree;

  /**
   * Copies under way.
   *
   * @param isFree whether the application may write the sources meanwhile
   */
  DelayedCopies(DelayedDevice device, List<DelayedCopy> copies, boolean isFree) {
    this.device = device;
    this.copies = copies;
    this.isFree = isFree;
  }

  /**
   * Likewise; the application may write the sources once its work was held up.
   *
   * @param holdUp under the device's lock
   */
  static DelayedCopies freedBy(Runnable holdUp, DelayedDevice device, List<DelayedCopy> copies) {
    DelayedCopies event = new DelayedCopies(device, copies, false);
    event.holdUp = holdUp;
    return event;
  }

  @Override
  public void freeSources() {
    synchronized (device) {
      if (holdUp != null) {
        holdUp.run();
        holdUp = null;
        isFree = true;
      }
    }
  }

  @Override
  public boolean isSourceFree() {
    synchronized (device) {
      return isFree || isDone();
    }
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
      device.requireAnswer(copies);
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

package io.cairn.lab.study.throttle;

import io.cairn.cache.memory.CopyEvent;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Copies that a link's thread makes, and that end no sooner than their bytes are through. */
final class LinkCopy implements CopyEvent, Runnable {
  /** Parking ends late by less than this; the rest is spun away. */
  private static final long SPIN_NANOS = 80_000;

  private final Supplier<CopyEvent> copy;
  private final long throughNanos;
  private final CountDownLatch ended = new CountDownLatch(1);
  // written before the latch opens, read after
  private @Nullable CopyEvent made;
  private @Nullable Exception failure;

  LinkCopy(Supplier<CopyEvent> copy, long throughNanos) {
    this.copy = copy;
    this.throughNanos = throughNanos;
  }

  @Override
  public void run() {
    try {
      CopyEvent event = copy.get();
      event.awaitLanding();
      made = event;
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
    waitUntilThrough();
    ended.countDown();
  }

  private void waitUntilThrough() {
    for (long left = left(); left > 0; left = left()) {
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(this, left - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private long left() {
    return throughNanos - System.nanoTime();
  }

  @Override
  public boolean isDone() {
    return ended.getCount() == 0;
  }

  @Override
  public void await() throws IOException, InterruptedException {
    ended.await();
    if (failure != null) {
      throw new IOException("copy over a link: " + failure.getMessage(), failure);
    }
  }

  @Override
  public int checksum(int chunk) {
    CopyEvent event = isDone() ? made : null;
    if (event == null) {
      throw new IllegalStateException("no checksum: the copy is not done, or failed");
    }
    return event.checksum(chunk);
  }
}

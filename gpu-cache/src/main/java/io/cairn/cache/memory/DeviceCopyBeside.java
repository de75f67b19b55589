package io.cairn.cache.memory;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A batch with memory of a device, which copies all of it by itself. A training that waits for
 * sources lets the device wait, and goes on; where the device cannot, it waits for the copies.
 * Thread-safe.
 */
final class DeviceCopyBeside implements CopyBeside {
  private static final long PAUSE_NANOS = 100_000;

  private final CopyEvent copy;
  private volatile @Nullable IOException failure;

  /** The copies begin. */
  DeviceCopyBeside(CopyEngine engine, CopyBatch batch) {
    copy = engine.copyBesideAsync(batch);
  }

  @Override
  public boolean awaitSources(int first, int end, long patienceNanos) {
    copy.freeSources();
    if (copy.isSourceFree()) {
      return true;
    } else if (patienceNanos == Long.MAX_VALUE) {
      awaitLanded(); // as long as the device answers
    } else {
      boolean unused = pause(copy::isSourceFree, patienceNanos);
    }
    return copy.isSourceFree();
  }

  /** Waits for an end, without being interrupted; returns whether it was seen in this time. */
  static boolean pause(BooleanSupplier end, long patienceNanos) {
    long begin = System.nanoTime();
    boolean interrupted = false;
    boolean ended = end.getAsBoolean();
    while (!ended && System.nanoTime() - begin < patienceNanos) {
      LockSupport.parkNanos(PAUSE_NANOS);
      interrupted |= Thread.interrupted();
      ended = end.getAsBoolean();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return ended;
  }

  @Override
  public void fail(IOException cause) {
    failure = cause;
  }

  /** Copies that could not be started have ended at once. */
  @Override
  public boolean hasFailed() {
    if (failure == null && copy.isDone()) {
      awaitLanded();
    }
    return failure != null;
  }

  private void awaitLanded() {
    try {
      copy.awaitLanding();
    } catch (IOException e) {
      failure = e;
    }
  }

  @Override
  public boolean isDone() {
    return copy.isDone();
  }

  @Override
  public boolean isSourceFree() {
    return copy.isSourceFree();
  }

  @Override
  public void freeSources() {
    copy.freeSources();
  }

  @Override
  public void await() throws IOException, InterruptedException {
    copy.await();
    throwFailure();
  }

  @Override
  public void awaitLanding() throws IOException {
    copy.awaitLanding();
    throwFailure();
  }

  private void throwFailure() throws IOException {
    IOException cause = failure;
    if (cause != null) {
      throw cause;
    }
  }

  @Override
  public int checksum(int chunk) {
    return copy.checksum(chunk);
  }
}

package io.cairn.cache.memory;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A batch with memory of a device, which copies all of it by itself. A training that waits for
 * sources lets the device wait, and goes on; where the device cannot, it waits for the copies.
 * Thread-safe.
 */
final class DeviceCopyBeside implements CopyBeside {
  private final CopyEvent copy;
  private volatile @Nullable IOException failure;

  /** The copies begin. */
  DeviceCopyBeside(CopyEngine engine, CopyBatch batch) {
    copy = engine.copyBesideAsync(batch);
  }

  @Override
  public void awaitSources(int first, int end) {
    copy.freeSources();
    if (!copy.isSourceFree()) {
      awaitLanded();
    }
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

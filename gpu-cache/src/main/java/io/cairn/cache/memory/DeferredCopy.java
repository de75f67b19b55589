package io.cairn.cache.memory;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A batch that the host copies after its call has returned. Every thread that waits for chunks
 * copies those that nobody has begun, so no thread waits for one that has no core. At most one
 * chunk per other thread is waited for. Each chunk is copied once. Thread-safe.
 */
public final class DeferredCopy implements CopyBeside {
  private static final int BEGUN = 1;
  private static final int READ = 2;

  private final CopyEngine engine;
  private final CopyBatch batch;
  private final OneCopy oneCopy;
  private final @Nullable CopyEvent before;
  private final AtomicIntegerArray states;
  private final AtomicReferenceArray<@Nullable CopyEvent> copies;
  private final AtomicInteger unread;
  private volatile @Nullable Throwable failure;

  /** Starts the copy of one chunk. */
  private interface OneCopy {
    CopyEvent start(CaptureSource source, long offset, DeviceAddress target) throws IOException;
  }

  /**
   * Nothing is copied yet.
   *
   * @param batch for memory of the engine; all sources lie on the host, and are not written until
   *     they are free
   */
  public DeferredCopy(CopyEngine engine, CopyBatch batch) {
    this(engine, batch, engine::copyAndChecksumAsync, null);
  }

  /**
   * Nothing is copied yet. A chunk on a device passes through the host on the thread that copies
   * it, which waits for the application's work first.
   *
   * @param device reaches all sources
   * @param engine does not
   * @param batch for memory of the engine; its sources are not written until they are free
   * @param before the device's {@link DeviceMemory#workBefore} of all sources
   */
  public static DeferredCopy throughHost(
      DeviceMemory device, CopyEngine engine, CopyBatch batch, CopyEvent before) {
    return new DeferredCopy(engine, batch, new ThroughHost(device, engine)::copy, before);
  }

  private DeferredCopy(
      CopyEngine engine, CopyBatch batch, OneCopy oneCopy, @Nullable CopyEvent before) {
    this.before = before;
    this.engine = engine;
    this.batch = batch;
    this.oneCopy = oneCopy;
    states = new AtomicIntegerArray(batch.chunks());
    copies = new AtomicReferenceArray<>(batch.chunks());
    unread = new AtomicInteger(batch.chunks());
  }

  /** Whether its sources lie on a device that the engine does not reach. */
  public boolean isThroughHost() {
    return before != null;
  }

  /** Copies chunks of a range that nobody has begun, and waits until all of it was read. */
  @Override
  public boolean awaitSources(int first, int end, long patienceNanos) {
    CopyEvent work = before;
    if (work != null && !hasFailed() && !isOver(work, patienceNanos)) {
      return false;
    }
    for (int chunk = first; chunk < end; chunk++) {
      copyUnlessBegun(chunk);
    }
    awaitRead(first, end);
    return true;
  }

  private boolean isOver(CopyEvent work, long patienceNanos) {
    if (patienceNanos < Long.MAX_VALUE
        && !DeviceCopyBeside.pause(() -> hasFailed() || work.isDone(), patienceNanos)) {
      return false;
    }
    if (!hasFailed()) {
      try {
        work.awaitLanding();
      } catch (IOException e) {
        failure = e;
      }
    }
    return true;
  }

  /** Chunks that nobody has begun are not copied any more. */
  @Override
  public void fail(IOException cause) {
    failure = cause;
  }

  @Override
  public boolean hasFailed() {
    return failure != null;
  }

  private boolean copyUnlessBegun(int chunk) {
    if (!states.compareAndSet(chunk, 0, BEGUN)) {
      return false;
    }
    try {
      if (failure == null) {
        copies.set(chunk, read(chunk));
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } finally {
      states.set(chunk, READ);
      unread.decrementAndGet();
      synchronized (this) {
        notifyAll();
      }
    }
    return true;
  }

  private CopyEvent read(int chunk) throws IOException {
    CopyEvent copy =
        oneCopy.start(batch.source(chunk), batch.sourceOffset(chunk), batch.target(chunk));
    if (!isThroughHost() && !copy.isSourceFree()) { // else its sources were read
      try {
        copy.awaitLanding();
      } catch (IOException e) {
        failure = e;
      }
    }
    return copy;
  }

  /** Waits without being interrupted: the caller writes the sources next. */
  private void awaitRead(int first, int end) {
    boolean interrupted = false;
    synchronized (this) {
      for (int chunk = first; chunk < end; chunk++) {
        while (states.get(chunk) != READ) {
          try {
            wait();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isDone() {
    return isSourceFree() && allDone();
  }

  private boolean allDone() {
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      CopyEvent copy = copies.get(chunk);
      if (copy != null && !copy.isDone()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean isSourceFree() {
    return unread.get() == 0;
  }

  /**
   * Starts what nobody has begun, of each batch a chunk in turn, so that all engines copy at once.
   * Gives way to other threads after each chunk: the caller has time, and the training needs the
   * core. A failure is that of its batch alone, whose {@link #await} throws it.
   *
   * @throws InterruptedException if interrupted while the application's work goes on
   */
  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on whether another thread runs
  public static void startAll(List<DeferredCopy> batches) throws InterruptedException {
    int most = 0;
    for (DeferredCopy each : batches) {
      each.awaitWork();
      most = Math.max(most, each.batch.chunks());
    }
    for (int chunk = 0; chunk < most; chunk++) {
      for (DeferredCopy each : batches) {
        if (chunk < each.batch.chunks() && each.copyUnlessBegun(chunk)) {
          Thread.yield();
        }
      }
    }
  }

  private void awaitWork() throws InterruptedException {
    CopyEvent work = before;
    if (work != null && !hasFailed()) {
      try {
        work.await();
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  @Override
  public void await() throws IOException, InterruptedException {
    startAll(List.of(this));
    awaitRead(0, batch.chunks());
    Throwable cause = failure;
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      CopyEvent copy = copies.get(chunk);
      if (copy != null) {
        try {
          copy.await();
        } catch (IOException e) { // the others may be on their way still
          cause = cause == null ? e : cause;
        }
      }
    }
    if (cause != null) {
      throw cause instanceof IOException io
          ? io
          : new IOException(engine.describe() + ": a copy beside the training failed", cause);
    }
  }

  @Override
  public int checksum(int chunk) {
    CopyEvent copy = copies.get(chunk);
    if (copy == null) {
      throw new IllegalStateException("chunk " + chunk + " is not copied yet, or its copy failed");
    }
    return copy.checksum();
  }
}

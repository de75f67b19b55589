package io.cairn.cache.memory.cuda;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The primary context of a GPU, and whether it still works. Every use of it begins with {@link
 * #enter}, which makes it current for the calling thread until the result is closed. A context that
 * met an error from which the driver does not recover, or work that did not end in time, is dead:
 * it refuses everything from then on. Thread-safe.
 */
final class CudaContext implements AutoCloseable {
  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(5);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** Something of the GPU that ends. */
  interface Work {
    boolean isDone() throws CudaException;
  }

  private final Driver driver;
  private final int device;
  private final int ordinal;
  private final String description;
  private final Duration patience;
  private final List<CurrentContext> current;
  private final GpuHealth health;
  private final RunningCalls running = new RunningCalls();
  private volatile boolean closed;

  private CudaContext(Driver driver, int ordinal, Duration patience) throws CudaException {
    this.driver = driver;
    this.ordinal = ordinal;
    this.patience = patience;
    device = driver.device(ordinal);
    description = String.format(Locale.ROOT, "cuda:%d (%s)", ordinal, driver.name(device));
    current = CurrentContext.ofModes(this, driver.retain(device));
    health = GpuHealth.join(ordinal);
  }

  /**
   * Retains the primary context of a GPU.
   *
   * @param patience how long a wait lasts before the GPU counts as dead
   */
  static CudaContext retain(Driver driver, int ordinal, Duration patience) throws CudaException {
    return new CudaContext(driver, ordinal, patience);
  }

  /**
   * Makes the context current for the calling thread.
   *
   * @throws CudaException if the context is dead or closed
   */
  CurrentContext enter() throws CudaException {
    return enter(true);
  }

  /** Like {@link #enter}, also if the context is dead: to ask whether work has ended. */
  CurrentContext enterToAsk() throws CudaException {
    return enter(false);
  }

  private CurrentContext enter(boolean alive) throws CudaException {
    if (closed || !running.begin()) {
      throw closed();
    }
    boolean entered = false;
    try {
      if (alive) {
        health.requireAlive(description);
      }
      CurrentContext calls = current.get(current.get(0).push());
      entered = true;
      return calls;
    } finally {
      if (!entered) {
        running.end();
      }
    }
  }

  /** The failure of a call that comes too late. */
  CudaException closed() {
    return CudaException.unusable(description + " is closed; await its copies before");
  }

  /** The calls that use this context, or what was allocated in it. */
  RunningCalls running() {
    return running;
  }

  int ordinal() {
    return ordinal;
  }

  UUID uuid() throws CudaException {
    return driver.uuid(device);
  }

  /** Whether its kernels reach the memory of another GPU. */
  boolean reaches(UUID gpu) throws CudaException {
    return driver.reaches(device, gpu);
  }

  int multiprocessors() throws CudaException {
    return driver.multiprocessors(device);
  }

  boolean isDead() {
    return health.isDead();
  }

  /** Whether it refuses calls since it was closed, or is being closed. */
  boolean isClosed() {
    return closed || running.areEnded();
  }

  /** How long a wait lasts before the GPU counts as dead. */
  Duration patience() {
    return patience;
  }

  /** The failure of a wait that was too long; the context is dead. */
  CudaException noAnswer(String what) {
    return failed(CudaException.noAnswer(what + " on " + this, patience.toMillis()));
  }

  /** The failure of a call after which nobody can see the end of a copy: the context is dead. */
  CudaException lost(CudaException failure) {
    health.die(failure);
    return failure;
  }

  /** The failure of a call, after which the context may be dead. */
  CudaException failed(CudaException failure) {
    return failure.isSticky() ? lost(failure) : failure;
  }

  /**
   * Waits until work has ended.
   *
   * @throws InterruptedException if interrupted; the work continues
   * @throws CudaException if the work failed, or does not end in time: the context is dead then
   */
  void await(String what, Work work) throws CudaException, InterruptedException {
    await(what, work, System.nanoTime(), patience.toNanos());
  }

  /**
   * Waits until the application's work has ended, as long as that takes.
   *
   * @throws InterruptedException if interrupted
   * @throws CudaException if the GPU is dead
   */
  void awaitApplication(ApplicationWork work) throws CudaException, InterruptedException {
    await("the application's work", work, System.nanoTime(), Long.MAX_VALUE);
  }

  /** The time is the system's: it is the GPU that answers or does not, and no test turns that. */
  private void await(String what, Work work, long begin, long patienceNanos)
      throws CudaException, InterruptedException {
    long pause = SHORTEST_PAUSE_NANOS;
    while (!work.isDone()) {
      if (Thread.interrupted()) {
        throw new InterruptedException(what);
      }
      health.requireAlive(description);
      if (System.nanoTime() - begin > patienceNanos) {
        throw noAnswer(what);
      }
      LockSupport.parkNanos(this, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
  }

  /** Like {@link #await}, but an interruption does not end the wait. */
  void awaitSurely(String what, Work work) throws CudaException {
    awaitSurely(what, work, patience.toNanos());
  }

  /** Like {@link #awaitApplication}, but an interruption does not end the wait. */
  void awaitApplicationSurely(ApplicationWork work) throws CudaException {
    awaitSurely("the application's work", work, Long.MAX_VALUE);
  }

  private void awaitSurely(String what, Work work, long patienceNanos) throws CudaException {
    long begin = System.nanoTime();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          await(what, work, begin, patienceNanos);
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Gives the context back. The driver ends it when nobody in the process uses it. That of a dead
   * GPU is left to the end of the process, since the driver might not answer.
   */
  @Override
  public void close() throws CudaException {
    closed = true;
    try {
      if (!health.isDead()) {
        driver.release(device);
      }
    } finally {
      health.leave();
    }
  }

  /** Leaves the context to the end of the process, with all that was allocated in it. */
  void abandon() {
    health.leave();
  }

  @Override
  public String toString() {
    return description;
  }
}

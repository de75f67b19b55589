package io.cairn.cache.memory;

import java.io.IOException;

/** The completion of one copy, or of all copies of a batch. Thread-safe. */
public interface CopyEvent {
  /**
   * Whether all of it has ended, well or badly, so that nothing reads a source or writes a target
   * any more. A copy that failed since its device does not answer may not have ended, and may never
   * end. Never blocks.
   */
  boolean isDone();

  /**
   * Whether the application may write the sources again, before the copy has landed: each source
   * was read, or is read before any work that the application starts from now on, in the order that
   * its region names. The copy may still fail. Never blocks. Once true, it stays so.
   */
  default boolean isSourceFree() {
    return isDone();
  }

  /**
   * Lets the application's later work wait until the sources were read, if a device can do so, and
   * returns at once. {@link #isSourceFree} tells whether it did. Of use for copies of {@link
   * CopyEngine#copyBesideAsync} alone, and without effect by default. May be called again.
   */
  default void freeSources() {}

  /**
   * Waits until all of it has ended. May be called again.
   *
   * @throws IOException naming the device and the cause, if a copy failed; the content of all
   *     targets is undefined then, and may change until {@link #isDone}
   * @throws InterruptedException if interrupted; the copies continue
   */
  void await() throws IOException, InterruptedException;

  /**
   * Like {@link #await}, but an interruption does not end the wait; the thread's interrupt status
   * is set afterwards. For memory that must not be freed while a copy may still use it.
   *
   * @throws IOException as {@link #await}
   */
  default void awaitLanding() throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          await();
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
   * CRC32C of one chunk of the batch.
   *
   * @throws IllegalStateException if a copy is not done, failed, or computes no checksum
   */
  int checksum(int chunk);

  /** CRC32C of the first chunk, for a batch of one; as {@link #checksum(int)}. */
  default int checksum() {
    return checksum(0);
  }
}

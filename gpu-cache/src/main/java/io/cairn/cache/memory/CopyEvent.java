package io.cairn.cache.memory;

import java.io.IOException;

/** The completion of one copy. Thread-safe. */
public interface CopyEvent {
  /** Whether the copy has ended, well or badly. Never blocks. */
  boolean isDone();

  /**
   * Waits until the copy has ended. May be called again.
   *
   * @throws IOException naming the device and the cause, if the copy failed; the target's content
   *     is undefined then
   * @throws InterruptedException if interrupted; the copy goes on
   */
  void await() throws IOException, InterruptedException;

  /**
   * Like {@link #await}, but through interruptions, which it leaves for the caller to find: for
   * memory that must not be let go of while a copy may still use it.
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
   * CRC32C of the bytes that were copied.
   *
   * @throws IllegalStateException if the copy is not done, failed, or computes no checksum
   */
  int checksum();
}

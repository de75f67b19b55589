package io.cairn.cache.memory;

import java.io.IOException;

/**
 * Copies of a batch that run while the application goes on, until it waits for sources.
 * Thread-safe.
 */
public sealed interface CopyBeside extends CopyEvent permits DeferredCopy, DeviceCopyBeside {
  /**
   * Copies of a batch on an engine.
   *
   * @param batch for memory of the engine; its sources are not written until they are free
   * @param onHost whether all sources lie on the host: nothing is copied yet then
   */
  static CopyBeside of(CopyEngine engine, CopyBatch batch, boolean onHost) {
    return onHost ? new DeferredCopy(engine, batch) : new DeviceCopyBeside(engine, batch);
  }

  /**
   * Waits until the sources of a range of chunks may be written. May free others, too. An
   * interruption does not end the wait.
   *
   * @param patienceNanos of a wait for work of the application on a device; a wait for copies of
   *     the host takes no longer than they do
   * @return false if they may not be written after this time
   */
  boolean awaitSources(int first, int end, long patienceNanos);

  /** Lets the copies end badly, and soon if they can. */
  void fail(IOException cause);

  /** Whether a copy has failed, as far as is known. */
  boolean hasFailed();
}

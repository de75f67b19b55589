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
   * Returns when the sources of a range of chunks may be written. May free others, too. An
   * interruption does not end the wait.
   */
  void awaitSources(int first, int end);

  /** Lets the copies end badly, and soon if they can. */
  void fail(IOException cause);

  /** Whether a copy has failed, as far as is known. */
  boolean hasFailed();
}

package io.cairn.engine.promotion;

import java.io.IOException;

/**
 * The nearest copy of a checkpoint on its way to one level, which the level's writer opens when it
 * needs it. Not thread-safe.
 */
@FunctionalInterface
public interface NearestCopy {
  /**
   * Opens the copy for several threads.
   *
   * @param most threads that the caller has a use for, at least 1
   * @return a copy for each thread, which the caller closes; only one of what was captured, since
   *     one thread reads that
   * @throws IOException if the captured copy is the nearest, and is damaged
   */
  OpenCopies open(int most) throws IOException;
}

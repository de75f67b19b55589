package io.cairn.flush.redundancy;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Closes several files, even if one of them fails. Stateless. */
final class Closing {
  private Closing() {}

  /**
   * Closes all.
   *
   * @throws IOException the first failure, with the others suppressed
   */
  static void all(List<? extends Closeable> files) throws IOException {
    IOException failure = null;
    for (Closeable file : files) {
      try {
        file.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Closes a file after a failure, which keeps another failure of closing. */
  static void afterwards(Closeable file, Exception cause) {
    try {
      file.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}

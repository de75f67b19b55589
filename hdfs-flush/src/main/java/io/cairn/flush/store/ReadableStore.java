package io.cairn.flush.store;

import java.io.IOException;

/** Files that can be read, at paths below one root. Thread-safe. */
public interface ReadableStore {
  /** The root for messages: a URI, a directory or a process that serves one. */
  String describe();

  /**
   * Opens a file for reading.
   *
   * @throws java.nio.file.NoSuchFileException if it does not exist
   */
  StoreInput open(String path) throws IOException;
}

package io.cairn.flush.commit;

import io.cairn.flush.format.FormatException;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Writes a file that holds nothing but a name: that of a store, or the birth of a group. */
final class NameFile {
  private NameFile() {}

  /** Publishes a name, unless there is one: another process was faster, and its name counts. */
  static void publish(CheckpointStore store, String temporary, String path, String name)
      throws IOException {
    write(store, temporary, name);
    try {
      store.publish(temporary, path);
    } catch (FileAlreadyExistsException e) {
      store.delete(temporary);
    }
  }

  /** Reads the name again. */
  @FunctionalInterface
  interface Reading {
    /**
     * The name.
     *
     * @throws FormatException if it is damaged
     */
    String again() throws IOException;
  }

  /** Puts a name in the place of a damaged one, unless somebody was faster: that name counts. */
  static void replace(
      CheckpointStore store, String temporary, String path, String name, Reading reading)
      throws IOException {
    write(store, temporary, name);
    if (isGood(reading)) {
      store.delete(temporary);
      return;
    }
    if (!store.replace(temporary, path)) {
      store.delete(path);
      try {
        store.publish(temporary, path);
      } catch (FileAlreadyExistsException e) {
        store.delete(temporary);
      }
    }
  }

  private static boolean isGood(Reading reading) throws IOException {
    try {
      String unused = reading.again();
      return true;
    } catch (FormatException | NoSuchFileException e) {
      return false;
    }
  }

  private static void write(CheckpointStore store, String path, String name) throws IOException {
    SmallFile.write(store, path, (name + "\n").getBytes(StandardCharsets.US_ASCII));
  }
}

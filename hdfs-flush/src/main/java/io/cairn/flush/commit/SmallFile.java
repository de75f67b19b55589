package io.cairn.flush.commit;

import io.cairn.flush.format.FormatException;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads and writes files that fit into memory: manifests and epoch files. */
final class SmallFile {
  private SmallFile() {}

  /** Creates, syncs and closes a file with these bytes. */
  static void write(CheckpointStore store, String path, byte[] bytes) throws IOException {
    try (StoreOutput out = store.create(path)) {
      out.write(ByteBuffer.wrap(bytes));
      out.sync();
    }
  }

  /**
   * All bytes of a file.
   *
   * @throws FormatException if it is longer than {@code maxBytes}
   * @throws java.nio.file.NoSuchFileException if it does not exist
   */
  static byte[] read(CheckpointStore store, String path, int maxBytes) throws IOException {
    try (StoreInput in = store.open(path)) {
      long bytes = in.length();
      if (bytes > maxBytes) {
        throw new FormatException(
            store.describe() + "/" + path, maxBytes, "is longer than " + maxBytes + " bytes");
      }
      ByteBuffer into = ByteBuffer.allocate((int) bytes);
      in.readFully(0, into);
      return into.array();
    }
  }
}

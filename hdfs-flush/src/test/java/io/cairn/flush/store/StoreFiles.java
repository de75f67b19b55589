package io.cairn.flush.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/** Whole files in one call, for tests. */
public final class StoreFiles {
  private StoreFiles() {}

  /** Creates, writes, syncs and closes a file. */
  public static void write(CheckpointStore store, String path, byte[] content) throws IOException {
    try (StoreOutput out = store.create(path)) {
      out.write(ByteBuffer.wrap(content));
      out.sync();
    }
  }

  /** The bytes of a file. */
  public static byte[] read(CheckpointStore store, String path) throws IOException {
    try (StoreInput in = store.open(path)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(in.length()));
      in.readFully(0, bytes);
      return bytes.array();
    }
  }

  /** The names in a directory. */
  public static List<String> names(CheckpointStore store, String directory) throws IOException {
    return store.list(directory).stream().map(StoreEntry::name).toList();
  }

  /** Bytes that depend on the seed alone. */
  public static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }
}

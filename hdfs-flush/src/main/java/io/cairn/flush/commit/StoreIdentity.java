package io.cairn.flush.commit;

import io.cairn.core.model.PathSegment;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.UUID;

/**
 * The name that a store gives itself when it is first used, in a file in its root. Epochs are
 * numbers of a store, so what was copied from one store means nothing beside another one, or beside
 * the same one after it was wiped: whoever keeps copies keeps them by this name. Stateless;
 * thread-safe.
 */
public final class StoreIdentity {
  /** The file that holds it. */
  public static final String FILE = "cairn-store-id";

  private static final int MAX_BYTES = 128;

  private StoreIdentity() {}

  /**
   * The store's name, given now if it has none; of callers that race, all get the same.
   *
   * @return one path segment
   * @throws IOException if it can be neither read nor written
   */
  public static String of(CheckpointStore store) throws IOException {
    try {
      return read(store);
    } catch (NoSuchFileException e) {
      publish(store);
      return read(store);
    }
  }

  /**
   * The store's name.
   *
   * @throws NoSuchFileException if it was never used
   */
  public static String read(CheckpointStore store) throws IOException {
    String name =
        new String(SmallFile.read(store, FILE, MAX_BYTES), StandardCharsets.US_ASCII).strip();
    if (!PathSegment.isLegal(name)) {
      throw new FormatException(store.describe() + "/" + FILE, 0, "is not a store's name");
    }
    return name;
  }

  private static void publish(CheckpointStore store) throws IOException {
    String name = UUID.randomUUID().toString();
    String temporary = "." + FILE + "." + name + ".tmp";
    SmallFile.write(store, temporary, (name + "\n").getBytes(StandardCharsets.US_ASCII));
    try {
      store.publish(temporary, FILE);
    } catch (FileAlreadyExistsException e) {
      // another process was faster, and its name counts
      store.delete(temporary);
    }
  }
}

package io.cairn.flush.commit;

import io.cairn.core.model.PathSegment;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.UUID;

/**
 * The name of a store, written into a file in its root at the first use. Epoch numbers are local to
 * a store: copies from one store mean nothing for another, or for the same one after a wipe.
 * Therefore NODE keeps copies under this name. Stateless; thread-safe.
 */
public final class StoreIdentity {
  /** The file that holds the name. */
  public static final String FILE = "cairn-store-id";

  private static final int MAX_BYTES = 128;

  private StoreIdentity() {}

  /**
   * The store's name; created if it has none. Concurrent callers all get the same name.
   *
   * @return one path segment
   * @throws IOException if the name can be neither read nor written
   */
  public static String of(CheckpointStore store) throws IOException {
    try {
      return read(store);
    } catch (NoSuchFileException e) {
      publish(store, UUID.randomUUID().toString());
      return read(store);
    }
  }

  /**
   * The store's name; this one if it has none, or a file that holds none. Concurrent callers all
   * get the same name.
   *
   * @param name by which nodes know the store
   * @throws IOException if the name can be neither read nor written
   */
  public static String give(CheckpointStore store, String name) throws IOException {
    try {
      return read(store);
    } catch (NoSuchFileException e) {
      publish(store, name);
    } catch (FormatException e) {
      NameFile.replace(store, temporary(), FILE, name);
    }
    return read(store);
  }

  /**
   * The store's name.
   *
   * @throws NoSuchFileException if the store was never used
   * @throws FormatException if the file is damaged
   */
  public static String read(CheckpointStore store) throws IOException {
    String name = new String(bytes(store), StandardCharsets.US_ASCII).strip();
    if (!PathSegment.isLegal(name)) {
      throw new FormatException(
          store.describe() + "/" + FILE,
          0,
          "is not the name of a store: the next training writes it again, by the name of its"
              + " directory at NODE");
    }
    return name;
  }

  private static byte[] bytes(CheckpointStore store) throws IOException {
    try {
      return SmallFile.read(store, FILE, MAX_BYTES);
    } catch (IOException e) {
      for (Throwable at = e; at != null; at = at.getCause()) {
        if (at instanceof AccessDeniedException
            || at.toString().contains("AccessControlException")) {
          throw new IOException(
              store.describe()
                  + " is the store of another user, who alone can read it: give each user a store"
                  + " of its own, such as a directory below this one's parent",
              e);
        }
      }
      throw e;
    }
  }

  /**
   * Requires the store that another process uses under the same location. Without this check a
   * directory on this machine's own disk, such as that of a missing mount, would pass for it.
   *
   * @param name of the other process's store
   * @throws IOException naming location and remedy, if this is another store or none
   */
  public static void require(CheckpointStore store, String name) throws IOException {
    String found;
    try {
      found = read(store);
    } catch (NoSuchFileException e) {
      found = "";
    }
    if (!found.equals(name)) {
      throw new IOException(
          "%s is not the store of the coordinator, but %s: mount the same directory on every machine, or use a distributed file system"
              .formatted(
                  store.describe(), found.isEmpty() ? "an unused directory" : "another one"));
    }
  }

  private static void publish(CheckpointStore store, String name) throws IOException {
    NameFile.publish(store, temporary(), FILE, name);
  }

  private static String temporary() {
    return "." + FILE + "." + UUID.randomUUID() + ".tmp";
  }
}

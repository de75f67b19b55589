package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreRefusedException;
import io.cairn.internal.PathSegment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The name of a store, written into a file in its root at the first use. Epoch numbers are local to
 * a store: copies from one store mean nothing for another, or for the same one after a wipe.
 * Therefore NODE keeps copies under this name. Stateless; thread-safe.
 */
public final class StoreIdentity {
  private static final Logger LOG = LoggerFactory.getLogger(StoreIdentity.class);

  /** The file that holds the name. */
  public static final String FILE = "cairn-store-id";

  private static final int MAX_BYTES = 128;

  private StoreIdentity() {}

  /**
   * The store's name; created if it has none, and written again if its epoch files name it.
   * Concurrent callers all get the same name.
   *
   * @return one path segment
   * @throws IOException if the name can be neither read nor written, or is lost
   */
  public static String of(CheckpointStore store) throws IOException {
    try {
      return known(store);
    } catch (NoSuchFileException | FormatException e) {
      Optional<String> lost = lost(store);
      return give(store, lost.isPresent() ? lost.get() : fresh(store, e));
    }
  }

  /**
   * The name that the epoch files of the store's groups have for it. Empty if none has one.
   *
   * @throws IOException if they have several names, or the store cannot be listed
   */
  public static Optional<String> lost(CheckpointStore store) throws IOException {
    NavigableSet<String> names = new TreeSet<>();
    EpochFiles epochs = new EpochFiles(store);
    for (GroupId group : groups(store)) {
      epochs.storeName(group).ifPresent(names::add);
    }
    if (names.size() > 1) {
      throw new IOException(
          "%s/%s is lost or damaged, and epoch files name the store %s: write the right name into"
                  .formatted(store.describe(), FILE, names)
              + " that file, which is the one of its directory at NODE");
    }
    return names.stream().findFirst();
  }

  /**
   * A name for a store that never had one, as far as its epoch files tell: they name the store.
   *
   * @param lack the failure to read its name
   * @throws IOException if there is a damaged one, and a group. With another name, running
   *     trainings would lose the store, and nodes their copies
   */
  public static String fresh(CheckpointStore store, IOException lack) throws IOException {
    List<GroupId> groups = lack instanceof NoSuchFileException ? List.of() : groups(store);
    if (!groups.isEmpty()) {
      throw new IOException(
          "%s/%s is damaged, and the store has %s: start a job on a machine that has copies"
                  .formatted(store.describe(), FILE, groups.get(0))
              + " of this store at NODE, or write the name into that file, which is the name of"
              + " their directory in node.dir. Any new name will do if no machine has copies",
          lack);
    }
    return UUID.randomUUID().toString();
  }

  private static List<GroupId> groups(CheckpointStore store) throws IOException {
    List<GroupId> groups = new ArrayList<>();
    for (String job : Inventory.jobs(store)) {
      try {
        for (GroupId group : Inventory.groups(store, job)) {
          if (store.list(StoreNames.group(group)).stream()
              .anyMatch(each -> isOfGroup(group, each))) {
            groups.add(group);
          }
        }
      } catch (IOException e) {
        if (!StoreRefusedException.denies(e)) {
          throw e;
        }
        LOG.debug("{} of {} is another user's, and no job", job, store.describe(), e);
      }
    }
    return groups;
  }

  private static boolean isOfGroup(GroupId group, StoreEntry entry) {
    String path = StoreNames.group(group) + "/" + entry.name();
    return path.equals(StoreNames.birth(group))
        || path.equals(StoreNames.epochs(group))
        || CheckpointId.parse(group, entry.name()).isPresent();
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
      NameFile.replace(store, temporary(), FILE, name, () -> read(store));
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
      if (StoreRefusedException.denies(e)) {
        throw new StoreRefusedException(
            store.describe()
                + " is the store of another user, who alone can read it: give each user a store"
                + " of its own, such as a directory below this one's parent",
            e);
      }
      throw e;
    }
  }

  /**
   * Requires the store that another process uses under the same location. A damaged name is written
   * again. Without this check a directory on this machine's own disk, such as that of a missing
   * mount, would pass for it.
   *
   * @param name of the other process's store
   * @param wasHere whether this machine has used that store: then its file system is away, and may
   *     come back
   * @throws StoreRefusedException if this is another store or none, and the other never was here
   * @throws IOException naming location and remedy, if this is another store or none for now
   */
  public static void require(CheckpointStore store, String name, boolean wasHere)
      throws IOException {
    String found = now(store, name);
    if (!found.equals(name)) {
      throw elsewhere(
          store.describe(), found.isEmpty() ? "an unused directory" : "another one", wasHere);
    }
  }

  /** The refusal of a place that is not the store of the coordinator; see {@link #require}. */
  public static IOException elsewhere(String place, String found, boolean wasHere) {
    String refusal =
        "%s is not the store of the coordinator, but %s: ".formatted(place, found)
            + (wasHere
                ? "this machine has used it, so mount its file system again"
                : "mount the same directory on every machine, or use a distributed file system");
    return wasHere ? new IOException(refusal) : new StoreRefusedException(refusal, null);
  }

  /**
   * The name that a store has now, of which a process knows one. A damaged one is written again.
   *
   * @param name that the process knows
   * @return empty if the store has none
   * @throws IOException as {@link #known} does
   */
  public static String now(CheckpointStore store, String name) throws IOException {
    try {
      return known(store);
    } catch (NoSuchFileException e) {
      return "";
    } catch (FormatException e) {
      return give(store, name);
    }
  }

  /**
   * The store's name. A file that cannot be read, such as on a bad block, makes no other store: the
   * epoch files name it then.
   *
   * @throws NoSuchFileException if the store was never used
   * @throws FormatException if the file is damaged
   * @throws IOException if the name cannot be read, and no epoch file has it
   */
  public static String known(CheckpointStore store) throws IOException {
    try {
      return read(store);
    } catch (NoSuchFileException | FormatException e) {
      throw e;
    } catch (IOException e) {
      return inEpochFiles(store, e);
    }
  }

  private static String inEpochFiles(CheckpointStore store, IOException unreadable)
      throws IOException {
    Optional<String> named = Optional.empty();
    try {
      named = lost(store);
    } catch (IOException e) {
      unreadable.addSuppressed(e);
    }
    if (named.isEmpty()) {
      throw unreadable;
    }
    LOG.warn(
        "{}/{} cannot be read, and epoch files name the store {}",
        store.describe(),
        FILE,
        named.get(),
        unreadable);
    return named.get();
  }

  private static void publish(CheckpointStore store, String name) throws IOException {
    NameFile.publish(store, temporary(), FILE, name);
  }

  private static String temporary() {
    return "." + FILE + "." + UUID.randomUUID() + ".tmp";
  }
}

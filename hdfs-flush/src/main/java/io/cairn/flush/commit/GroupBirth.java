package io.cairn.flush.commit;

import io.cairn.GroupId;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The name of a group's life in a store, written into a file of its directory at the first use. A
 * group whose directory is deleted gets another birth, and begins afresh: its epochs are numbered
 * anew, so copies of an earlier birth mean nothing. Therefore NODE keeps copies under this name.
 * Stateless; thread-safe.
 *
 * <p>Every epoch file repeats the birth. So a birth's file that alone is lost is written again with
 * the same name, and no copy at NODE is orphaned.
 */
public final class GroupBirth {
  private static final Logger LOG = LoggerFactory.getLogger(GroupBirth.class);
  private static final int MAX_BYTES = 128;

  /** Epoch files that are read to find a lost birth; each of them should name it. */
  private static final int MOST_READ = 16;

  private GroupBirth() {}

  /**
   * The group's birth; created if it has none. Concurrent callers all get the same name.
   *
   * @return a UUID
   * @throws IOException if the name can be neither read nor written
   */
  public static String of(CheckpointStore store, GroupId group) throws IOException {
    return of(store, group, List::of);
  }

  /**
   * Like the other. A damaged file is written again: with the birth that the epoch files name, or
   * else with the only one of which a node has copies.
   *
   * @param atNode the births of which this node has copies; asked only if the epoch files name none
   */
  public static String of(CheckpointStore store, GroupId group, AtNode atNode) throws IOException {
    try {
      return read(store, group);
    } catch (NoSuchFileException e) {
      Optional<String> lost = lost(store, group);
      if (lost.isEmpty()) {
        atNode.beforeBirth();
      }
      publish(store, group, lost.orElseGet(() -> UUID.randomUUID().toString()));
      String birth = read(store, group);
      if (lost.isEmpty()) {
        LOG.warn(
            "{} begins at {}, which knew nothing of it: birth {}", group, store.describe(), birth);
      } else {
        LOG.warn(
            "{} had lost the birth of {}, which its epoch files name", store.describe(), group);
      }
      return birth;
    } catch (FormatException e) {
      return heal(store, group, atNode, e);
    }
  }

  /** A node's knowledge of a group. */
  @FunctionalInterface
  public interface AtNode {
    /** The births of which it has copies. */
    List<String> births() throws IOException;

    /** The group is about to be born; throws if the store is not the one that the node knows. */
    default void beforeBirth() throws IOException {}
  }

  private static String heal(
      CheckpointStore store, GroupId group, AtNode atNode, FormatException damage)
      throws IOException {
    Optional<String> named = lost(store, group);
    List<String> births = named.isPresent() ? List.of(named.get()) : atNode.births();
    if (births.size() > 1) {
      throw new IOException(
          "%s; this node has copies of the births %s: write the present one into the file, or delete the other directories"
              .formatted(damage.getMessage(), births),
          damage);
    }
    String birth = births.isEmpty() ? UUID.randomUUID().toString() : births.get(0);
    LOG.warn(
        "The birth of {} was damaged. It is written again as {}, {}",
        group,
        birth,
        named.isPresent()
            ? "which the epoch files name"
            : births.isEmpty() ? "which is new: copies at NODE do not count" : "as at NODE",
        damage);
    NameFile.replace(
        store, temporary(group), StoreNames.birth(group), birth, () -> read(store, group));
    return read(store, group);
  }

  /**
   * The group's birth; empty if the store does not know the group. Writes nothing.
   *
   * @throws IOException if it is unknown whether there is one
   */
  public static Optional<String> find(CheckpointStore store, GroupId group) throws IOException {
    try {
      return Optional.of(read(store, group));
    } catch (NoSuchFileException e) {
      return lost(store, group);
    } catch (FormatException e) {
      Optional<String> named = lost(store, group);
      if (named.isPresent()) {
        return named;
      }
      throw e;
    }
  }

  /**
   * The stores of all births of a group at NODE, by name.
   *
   * @param node the root of NODE, or another store, which has none
   * @throws IOException if it cannot be listed
   */
  public static List<CheckpointStore> lives(CheckpointStore node, GroupId group)
      throws IOException {
    return node.list(StoreNames.group(group)).stream()
        .filter(entry -> entry.directory() && StoreNames.isBirth(entry.name()))
        .<CheckpointStore>map(
            entry -> new SubdirectoryStore(node, StoreNames.life(group, entry.name())))
        .toList();
  }

  /**
   * Gives a group that has no birth here this one, which it has in another store.
   *
   * @return the group's birth afterwards, which is another one if somebody was faster
   * @throws IOException if it can be neither read nor written
   */
  static String adopt(CheckpointStore store, GroupId group, String birth) throws IOException {
    publish(store, group, birth);
    return read(store, group);
  }

  private static String read(CheckpointStore store, GroupId group) throws IOException {
    String path = StoreNames.birth(group);
    String name =
        new String(SmallFile.read(store, path, MAX_BYTES), StandardCharsets.US_ASCII).strip();
    if (!StoreNames.isBirth(name)) {
      throw new FormatException(
          store.describe() + "/" + path,
          0,
          "is not the birth of a group: the next join writes it again");
    }
    return name;
  }

  /**
   * The birth that the newest epoch files name. A file that cannot be read may be one that a dead
   * writer left open, so the others are asked, too.
   *
   * @throws IOException if none that can be read names it, and another cannot be read
   */
  private static Optional<String> lost(CheckpointStore store, GroupId group) throws IOException {
    EpochFiles epochs = new EpochFiles(store);
    return named(epochs, group, epochs.taken(group));
  }

  private static Optional<String> named(EpochFiles epochs, GroupId group, List<Long> taken)
      throws IOException {
    @Nullable IOException unreadable = null;
    int last = taken.size() - 1;
    for (int i = last; i >= 0 && i > last - MOST_READ; i--) {
      try {
        Optional<String> birth = epochs.birth(group, taken.get(i));
        if (birth.isPresent()) {
          return birth;
        }
      } catch (IOException e) {
        unreadable = e;
      }
    }
    if (unreadable != null) {
      throw unreadable;
    }
    return Optional.empty();
  }

  /**
   * The birth in the group's file. If there is none, that which these epochs name.
   *
   * @throws IOException if it is unknown whether there is one
   */
  static Optional<String> known(
      CheckpointStore store, GroupId group, EpochFiles epochs, List<Long> taken)
      throws IOException {
    try {
      return Optional.of(read(store, group));
    } catch (NoSuchFileException | FormatException e) {
      return named(epochs, group, taken);
    }
  }

  private static void publish(CheckpointStore store, GroupId group, String name)
      throws IOException {
    NameFile.publish(store, temporary(group), StoreNames.birth(group), name);
  }

  private static String temporary(GroupId group) {
    return StoreNames.temporaryBirth(group, UUID.randomUUID().toString());
  }
}

package io.cairn.core.protocol;

import io.cairn.Digest;
import io.cairn.core.model.CheckpointManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * The names and files of a simulated store, without any network: each method is one indivisible
 * step. Changes of names and synced contents become durable when the journal is written; a crash
 * undoes what was not, and may tear files that were not synced.
 */
final class SimulatedFiles {
  /** The content of a file. */
  sealed interface Content {
    /** Says who took an epoch. */
    record Owner(String attempt) implements Content {}

    /** Data of a checkpoint; without what it needs it cannot be read. */
    record Container(List<String> needs) implements Content {}

    /** A manifest. */
    record Manifest(CheckpointManifest manifest, Digest digest) implements Content {}

    /** A file that was created and not, or only in part, written. */
    record Torn() implements Content {}
  }

  /** The answer to a request. */
  sealed interface Reply {
    /** It was done by this request. */
    record Done() implements Reply {}

    /** The name exists already. */
    record Exists() implements Reply {}

    /** The name does not exist. */
    record Missing() implements Reply {}

    /** The content of the file. */
    record Found(Content content) implements Reply {}

    /** Names below a directory. */
    record Names(Set<String> names) implements Reply {}

    /** An error, or no answer. */
    record Lost(String reason) implements Reply {}
  }

  private static final class Inode {
    private final Object handle;
    private Content content = new Content.Torn();

    Inode(Object handle) {
      this.handle = handle;
    }
  }

  private record Change(String path, Runnable undo) {}

  private final TreeMap<String, Inode> names = new TreeMap<>();
  private final List<Change> journal = new ArrayList<>();
  private long version;

  /** Creates exclusively; only who has the handle can write it. */
  Reply create(String path, Object handle) {
    if (names.containsKey(path)) {
      return new Reply.Exists();
    }
    put(path, new Inode(handle));
    return new Reply.Done();
  }

  /** Writes and syncs all of a file that was created with this handle. */
  Reply fill(String path, Object handle, Content content) {
    Inode file = names.get(path);
    if (file == null || file.handle != handle) {
      return new Reply.Missing();
    }
    Content before = file.content;
    file.content = content;
    changed(path, () -> file.content = before);
    return new Reply.Done();
  }

  Reply read(String path) {
    return look(path).<Reply>map(Reply.Found::new).orElseGet(Reply.Missing::new);
  }

  /** Renames if the new name is absent. */
  Reply rename(String from, String to) {
    Reply reply = link(from, to);
    if (reply instanceof Reply.Done) {
      delete(from);
    }
    return reply;
  }

  /** Gives a file a second name if that is absent. */
  Reply link(String from, String to) {
    Inode file = names.get(from);
    if (file == null) {
      return new Reply.Missing();
    } else if (names.containsKey(to)) {
      return new Reply.Exists();
    }
    put(to, file);
    return new Reply.Done();
  }

  Reply delete(String path) {
    Inode file = names.remove(path);
    if (file == null) {
      return new Reply.Missing();
    }
    changed(path, () -> names.put(path, file));
    return new Reply.Done();
  }

  /** All names below a directory; the root's for the empty one. */
  Reply list(String directory) {
    return new Reply.Names(below(directory));
  }

  Set<String> below(String directory) {
    return directory.isEmpty()
        ? Set.copyOf(names.keySet())
        : Set.copyOf(names.subMap(directory + "/", directory + "0").keySet());
  }

  Optional<Content> look(String path) {
    return Optional.ofNullable(names.get(path)).map(file -> file.content);
  }

  /** Rises with every change. */
  long version() {
    return version;
  }

  /** Whether a crash would undo nothing. */
  boolean durable() {
    return journal.isEmpty();
  }

  /** Whether a crash would leave this name, or its absence, as it is. */
  boolean durable(String path) {
    return journal.stream().noneMatch(change -> change.path().equals(path));
  }

  /** Makes durable what was done so far. */
  void writeJournal() {
    journal.clear();
  }

  /** Loses what is not durable, and some of what was created and not synced. */
  void crash(Random random) {
    for (int i = journal.size() - 1; i >= 0; i--) {
      journal.get(i).undo().run();
    }
    journal.clear();
    names.values().removeIf(f -> f.content instanceof Content.Torn && random.nextBoolean());
    version++;
  }

  private void put(String path, Inode file) {
    names.put(path, file);
    changed(path, () -> names.remove(path));
  }

  private void changed(String path, Runnable undo) {
    journal.add(new Change(path, undo));
    version++;
  }
}

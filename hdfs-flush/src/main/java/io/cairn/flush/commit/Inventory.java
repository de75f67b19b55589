package io.cairn.flush.commit;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.PathSegment;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.Layout;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a store holds, told from its manifests alone: names and lengths are looked at, containers
 * are not opened. Stateless; thread-safe.
 */
public final class Inventory {
  /** Listings of a group that changes, before giving up. */
  private static final int ROUNDS = 20;

  private Inventory() {}

  /**
   * A manifest, or a part of one, that does not count.
   *
   * @param id the checkpoint whose directory it is in
   * @param path below the store's root
   * @param reason for people
   * @param manifest itself, where it can be read: it still tells which line of training is newest
   */
  public record Problem(
      CheckpointId id, String path, String reason, Optional<CheckpointManifest> manifest) {}

  /**
   * What one group has in a store.
   *
   * @param checkpoints that have a readable manifest, or part of one, whose containers exist with
   *     the length that it says; oldest first
   * @param problems manifests that do not count, and why
   * @param unfinished directories of checkpoints without any manifest
   */
  public record Listing(
      SortedMap<CheckpointId, StoredCheckpoint> checkpoints,
      List<Problem> problems,
      List<CheckpointId> unfinished) {
    /** Copies all three. */
    public Listing {
      checkpoints = Collections.unmodifiableSortedMap(new TreeMap<>(checkpoints));
      problems = List.copyOf(problems);
      unfinished = List.copyOf(unfinished);
    }

    /** Every checkpoint that has a directory, oldest first. */
    public SortedSet<CheckpointId> everything() {
      SortedSet<CheckpointId> all = new TreeSet<>(checkpoints.keySet());
      all.addAll(unfinished);
      problems.forEach(problem -> all.add(problem.id()));
      return all;
    }
  }

  /**
   * Lists a group: two listings of the group, one of each checkpoint, and each manifest read once.
   *
   * <p>An older attempt may go on publishing and deleting meanwhile. From the oldest to the newest,
   * whatever is deleted before it is read gave way to something newer, which is read later; and if
   * a directory has appeared by the end, the whole is read again. So the newest checkpoint that was
   * sealed before the call is found, or a newer one.
   *
   * @return empty if the store does not know the group
   * @throws IOException if a directory cannot be listed, a manifest cannot be read now, or new ones
   *     appear faster than they are read
   */
  public static Listing list(CheckpointStore store, GroupId group) throws IOException {
    List<CheckpointId> ids = directories(store, group);
    for (int round = 0; round < ROUNDS; round++) {
      Listing listing = list(store, ids);
      List<CheckpointId> now = directories(store, group);
      if (ids.containsAll(now)) {
        return listing;
      }
      ids = now;
    }
    throw new IOException(
        "checkpoints of "
            + group
            + " appear in "
            + store.describe()
            + " faster than they can be listed: is another application running this job?");
  }

  private static Listing list(CheckpointStore store, List<CheckpointId> ids) throws IOException {
    SortedMap<CheckpointId, StoredCheckpoint> checkpoints = new TreeMap<>();
    List<Problem> problems = new ArrayList<>();
    List<CheckpointId> unfinished = new ArrayList<>();
    for (CheckpointId id : ids) {
      List<StoreEntry> files = store.list(Layout.checkpoint(id));
      if (files.stream().noneMatch(file -> Layout.isManifest(file.name()))) {
        unfinished.add(id);
      } else {
        read(store, id, files, problems).ifPresent(stored -> checkpoints.put(id, stored));
      }
    }
    return new Listing(checkpoints, problems, unfinished);
  }

  /**
   * One checkpoint; empty if it has no manifest here that counts.
   *
   * @throws IOException if its directory cannot be listed
   */
  public static Optional<StoredCheckpoint> find(CheckpointStore store, CheckpointId id)
      throws IOException {
    return read(store, id, store.list(Layout.checkpoint(id)), new ArrayList<>());
  }

  /**
   * The groups of a job that the store knows, by name.
   *
   * @throws IOException if the job's directory cannot be listed
   */
  public static List<GroupId> groups(CheckpointStore store, String job) throws IOException {
    PathSegment.require("job", job);
    return names(store, job).stream().map(name -> new GroupId(job, name)).toList();
  }

  /**
   * The jobs that the store knows, by name.
   *
   * @throws IOException if its root cannot be listed
   */
  public static List<String> jobs(CheckpointStore store) throws IOException {
    return names(store, "");
  }

  private static List<String> names(CheckpointStore store, String directory) throws IOException {
    return store.list(directory).stream()
        .filter(entry -> entry.directory() && PathSegment.isLegal(entry.name()))
        .map(StoreEntry::name)
        .sorted()
        .toList();
  }

  private static List<CheckpointId> directories(CheckpointStore store, GroupId group)
      throws IOException {
    return store.list(Layout.group(group)).stream()
        .filter(StoreEntry::directory)
        .flatMap(
            entry ->
                CheckpointId.parse(group, entry.name())
                    .filter(id -> id.directory().equals(entry.name()))
                    .stream())
        .sorted()
        .toList();
  }

  /** Only what is seen to be bad is a problem; what cannot be read now may be good. */
  private static Optional<StoredCheckpoint> read(
      CheckpointStore store, CheckpointId id, List<StoreEntry> files, List<Problem> problems)
      throws IOException {
    Map<String, Long> lengths =
        files.stream()
            .filter(file -> !file.directory())
            .collect(
                Collectors.toMap(StoreEntry::name, StoreEntry::bytes, Math::max, TreeMap::new));
    List<CheckpointManifest> parts = new ArrayList<>();
    for (String name : lengths.keySet()) {
      if (Layout.isManifest(name)) {
        String path = Layout.file(id, name);
        Optional<CheckpointManifest> manifest = Optional.empty();
        try {
          CheckpointManifest part = part(store, id, path, parts);
          manifest = Optional.of(part);
          requireContainers(store, path, part, lengths);
          parts.add(part);
        } catch (FormatException | EOFException | NoSuchFileException e) {
          problems.add(new Problem(id, path, String.valueOf(e.getMessage()), manifest));
        }
      }
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(StoredCheckpoint.of(parts));
  }

  private static CheckpointManifest part(
      CheckpointStore store, CheckpointId id, String path, List<CheckpointManifest> others)
      throws IOException {
    String file = store.describe() + "/" + path;
    CheckpointManifest part =
        ManifestCodec.decode(SmallFile.read(store, path, ManifestCodec.MAX_BYTES), file);
    if (!part.id().equals(id)) {
      throw new FormatException(file, 0, "is the manifest of " + part.id() + ", not of " + id);
    }
    for (CheckpointManifest other : others) {
      if (part.size() != other.size() || !part.ancestry().equals(other.ancestry())) {
        throw new FormatException(file, 0, "differs from another part in size or ancestry");
      }
    }
    return part;
  }

  private static void requireContainers(
      CheckpointStore store, String path, CheckpointManifest part, Map<String, Long> lengths)
      throws IOException {
    String file = store.describe() + "/" + path;
    for (ContainerSummary container : part.containers()) {
      long bytes = lengths.getOrDefault(container.file(), -1L);
      if (bytes != container.bytes()) {
        throw new FormatException(
            file,
            0,
            "names "
                + container.file()
                + " of "
                + container.bytes()
                + " bytes, which "
                + (bytes < 0 ? "does not exist" : "has " + bytes));
      }
    }
  }
}

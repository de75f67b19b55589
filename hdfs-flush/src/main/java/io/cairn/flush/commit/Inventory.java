package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.protocol.Lineage;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.Parts;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.internal.PathSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists the checkpoints of a store by their manifests. Compares the names and lengths of
 * containers, and opens none. Stateless; thread-safe.
 */
public final class Inventory {
  /*
   * Concurrent changes
   * ------------------
   * A listing is not atomic: an older attempt may publish and delete meanwhile. Manifests are read
   * from the oldest to the newest. A checkpoint deleted before it is read was superseded by a newer
   * one, which is read later. If a directory has appeared by the end, all that is not known as
   * sealed is read again, at most ROUNDS times. So a group that seals meanwhile costs a few more
   * reads. The result contains the newest checkpoint sealed before the call, or a newer one.
   *
   * Errors
   * ------
   * A bad manifest, or a container that is missing or has another length, is proven damage. A read
   * that fails otherwise may succeed later: it is a passing problem of that checkpoint, unless the
   * group cannot be listed either. Then the store is out of reach, and the whole listing throws.
   * Callers decide about passing problems: a restore must not pass over a newer one in silence.
   */

  /** Listings of a changing group before the call fails. */
  private static final int ROUNDS = 20;

  private Inventory() {}

  /**
   * A manifest, or a part of one, that does not count.
   *
   * @param id the checkpoint of its directory
   * @param path path below the store's root
   * @param cause the failure of reading it
   * @param manifest the manifest if it is readable; it still takes part in finding the newest line
   * @param passing whether a later read may succeed, so that nothing is proven
   */
  public record Problem(
      CheckpointId id,
      String path,
      IOException cause,
      Optional<CheckpointManifest> manifest,
      boolean passing) {
    /** The defect, for people. */
    public String reason() {
      return String.valueOf(cause.getMessage());
    }
  }

  /**
   * The checkpoints of one group in a store.
   *
   * @param checkpoints those with a readable manifest, or part of one, whose containers exist with
   *     the listed lengths; oldest first
   * @param problems manifests that do not count, with the reason
   * @param leaned directories without any manifest, with containers that a listed checkpoint leans
   *     on
   * @param unfinished other directories of checkpoints without any manifest
   * @param lost the newest checkpoint that was sealed, by its mark, if its manifest is gone and no
   *     newer one is here; a hint that proves nothing
   */
  public record Listing(
      SortedMap<CheckpointId, StoredCheckpoint> checkpoints,
      List<Problem> problems,
      List<CheckpointId> leaned,
      List<CheckpointId> unfinished,
      Optional<CheckpointId> lost) {
    /** Copies all of them. */
    public Listing {
      checkpoints = Collections.unmodifiableSortedMap(new TreeMap<>(checkpoints));
      problems = List.copyOf(problems);
      leaned = List.copyOf(leaned);
      unfinished = List.copyOf(unfinished);
    }

    /** Whether a checkpoint was published here, even if it is damaged or lost. */
    public boolean anySealed() {
      return !checkpoints.isEmpty() || !problems.isEmpty() || lost.isPresent();
    }

    private Listing withMark(Optional<CheckpointId> sealed) {
      Set<CheckpointId> manifests = new HashSet<>(checkpoints.keySet());
      problems.forEach(problem -> manifests.add(problem.id()));
      return new Listing(
          checkpoints,
          problems,
          leaned,
          unfinished,
          sealed.filter(id -> manifests.stream().allMatch(each -> each.compareTo(id) < 0)));
    }

    /** The manifests that can be read, damaged checkpoints' included. */
    public Stream<CheckpointManifest> manifests() {
      return Stream.concat(
          checkpoints.values().stream().flatMap(stored -> stored.parts().stream()),
          problems.stream().flatMap(problem -> problem.manifest().stream()));
    }

    /**
     * The checkpoints of the current {@linkplain Lineage line} that count, newest first. A damaged
     * one whose manifest is readable decides the line, too, as it does for a restore.
     */
    public List<StoredCheckpoint> alive(Predicate<StoredCheckpoint> counts) {
      Map<CheckpointId, Ancestry> known = new TreeMap<>();
      for (Problem problem : problems) {
        problem.manifest().ifPresent(manifest -> known.put(problem.id(), manifest.ancestry()));
      }
      checkpoints.values().stream()
          .filter(counts)
          .forEach(stored -> known.put(stored.id(), stored.ancestry()));
      return Lineage.alive(known).stream()
          .flatMap(id -> Optional.ofNullable(checkpoints.get(id)).stream())
          .filter(counts)
          .toList();
    }

    /** All checkpoints with a directory, oldest first. */
    public SortedSet<CheckpointId> everything() {
      SortedSet<CheckpointId> all = new TreeSet<>(checkpoints.keySet());
      all.addAll(leaned);
      all.addAll(unfinished);
      problems.forEach(problem -> all.add(problem.id()));
      return all;
    }
  }

  /**
   * Lists a group. The result contains the newest checkpoint sealed before the call, or a newer
   * one. Costs two listings of the group, one per checkpoint, and one read per manifest. Each
   * checkpoint that appears meanwhile costs as much again.
   *
   * @return an empty listing if the store does not know the group
   * @throws IOException if the group cannot be listed, or new checkpoints appear faster than they
   *     are read
   */
  public static Listing list(CheckpointStore store, GroupId group) throws IOException {
    return list(store, group, CheckpointStore::list);
  }

  /**
   * Like the other, of a group that was born in the store. The first and the last look find its
   * birth: a directory that took the place of the store meanwhile shows no checkpoint.
   *
   * @throws IOException likewise, or if the store does not show the birth
   */
  public static Listing listBorn(CheckpointStore store, GroupId group) throws IOException {
    return list(store, group, (from, directory) -> born(from, group));
  }

  /**
   * Requires that a group was born in the store: what is absent elsewhere proves nothing.
   *
   * @throws IOException if the store does not show the birth, or cannot be listed
   */
  public static void requireBorn(CheckpointStore store, GroupId group) throws IOException {
    List<StoreEntry> unused = born(store, group);
  }

  private static List<StoreEntry> born(CheckpointStore store, GroupId group) throws IOException {
    List<StoreEntry> entries = store.list(StoreNames.group(group));
    String root = StoreNames.group(group) + "/";
    if (entries.stream().noneMatch(entry -> StoreNames.birth(group).equals(root + entry.name()))) {
      throw new IOException(
          "%s does not show the birth of %s: is its file system mounted?"
              .formatted(store.describe(), group));
    }
    return entries;
  }

  /** Lists the directory of a group. */
  private interface Look {
    List<StoreEntry> at(CheckpointStore store, String directory) throws IOException;
  }

  private static Listing list(CheckpointStore store, GroupId group, Look look) throws IOException {
    // first: a checkpoint that is marked by now is listed below, unless a newer one replaced it
    Optional<CheckpointId> sealed = new GroupMemory(store).newestSealed(group);
    return listAppearing(store, group, look, new KnownManifests()).withMark(sealed);
  }

  /**
   * Lists a group like {@link #list}, without its mark: for a caller that deletes what no
   * checkpoint leans on, beside others that publish. Remembers what it reads, and reads no manifest
   * that is remembered.
   *
   * @throws IOException likewise
   */
  static Listing listAppearing(CheckpointStore store, GroupId group, KnownManifests manifests)
      throws IOException {
    Listing listing = listAppearing(store, group, CheckpointStore::list, manifests);
    manifests.keepOnly(listing.checkpoints().keySet());
    return listing;
  }

  private static Listing listAppearing(
      CheckpointStore store, GroupId group, Look look, KnownManifests manifests)
      throws IOException {
    SortedMap<CheckpointId, StoredCheckpoint> known = new TreeMap<>();
    List<CheckpointId> ids = directories(store, group, look);
    for (int round = 0; round < ROUNDS; round++) {
      known.keySet().retainAll(ids);
      Listing listing = list(store, ids, known, manifests);
      List<CheckpointId> now = directories(store, group, look);
      if (ids.containsAll(now)) {
        return listing;
      }
      ids = now;
      known.putAll(listing.checkpoints());
    }
    throw new IOException(
        "checkpoints of %s appear in %s faster than their manifests can be read: try again"
            .formatted(group, store.describe()));
  }

  /**
   * Lists a group once, without its mark. The result lacks checkpoints that appear meanwhile, so it
   * serves a caller that deletes no newer ones than it finds. Costs one listing of the group, and
   * one per checkpoint. Remembers what it reads, and reads no manifest that is remembered.
   *
   * @throws IOException if the group cannot be listed
   */
  static Listing listOnce(CheckpointStore store, GroupId group, KnownManifests manifests)
      throws IOException {
    Listing listing = list(store, directories(store, group), new TreeMap<>(), manifests);
    manifests.keepOnly(listing.checkpoints().keySet());
    return listing;
  }

  /** Reads every checkpoint but the known ones. */
  private static Listing list(
      CheckpointStore store,
      List<CheckpointId> ids,
      SortedMap<CheckpointId, StoredCheckpoint> known,
      KnownManifests manifests)
      throws IOException {
    SortedMap<CheckpointId, StoredCheckpoint> checkpoints = new TreeMap<>(known);
    List<CheckpointId> withoutManifest = new ArrayList<>();
    ManifestReader reader = new ManifestReader(store, manifests);
    for (CheckpointId id : ids) {
      if (checkpoints.containsKey(id)) {
        continue;
      }
      Optional<List<String>> names = reader.names(id);
      if (names.isPresent() && names.get().stream().noneMatch(StoreNames::isManifest)) {
        withoutManifest.add(id);
      } else if (names.isPresent()) {
        reader.read(id).ifPresent(stored -> checkpoints.put(id, stored));
      }
    }
    return sorted(checkpoints, reader.problems(), withoutManifest);
  }

  private static Listing sorted(
      SortedMap<CheckpointId, StoredCheckpoint> checkpoints,
      List<Problem> problems,
      List<CheckpointId> withoutManifest) {
    Set<CheckpointId> leaned =
        new Listing(checkpoints, problems, List.of(), List.of(), Optional.empty())
            .manifests()
            .flatMap(manifest -> manifest.leansOn().stream())
            .collect(Collectors.toSet());
    return new Listing(
        checkpoints,
        problems,
        withoutManifest.stream().filter(leaned::contains).toList(),
        withoutManifest.stream().filter(id -> !leaned.contains(id)).toList(),
        Optional.empty());
  }

  /**
   * Finds a checkpoint with one rank's data; empty if no manifest here names the rank.
   *
   * @throws FormatException if there is none because a manifest for the rank is damaged
   * @throws IOException if the directory cannot be listed, or such a manifest cannot be read now
   */
  public static Optional<StoredCheckpoint> find(CheckpointStore store, CheckpointId id, int rank)
      throws IOException {
    ManifestReader reader = new ManifestReader(store, new KnownManifests());
    Optional<StoredCheckpoint> found =
        reader.read(id).filter(stored -> !stored.containersOf(rank).isEmpty());
    Set<String> ofRank =
        Set.of(
            StoreNames.file(id, StoreNames.MANIFEST),
            StoreNames.file(id, StoreNames.manifestPart(rank)));
    for (Problem problem : reader.problems()) {
      if (found.isEmpty() && ofRank.contains(problem.path())) {
        throw problem.cause();
      }
    }
    return found;
  }

  /**
   * The groups of a job in the store, by name.
   *
   * @throws IOException if the job's directory cannot be listed
   */
  public static List<GroupId> groups(CheckpointStore store, String job) throws IOException {
    PathSegment.require("job", job);
    return names(store, job).stream().map(name -> new GroupId(job, name)).toList();
  }

  /**
   * The jobs in the store, by name.
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

  /** The checkpoints of a group with a directory, oldest first. */
  static List<CheckpointId> directories(CheckpointStore store, GroupId group) throws IOException {
    return directories(store, group, CheckpointStore::list);
  }

  private static List<CheckpointId> directories(CheckpointStore store, GroupId group, Look look)
      throws IOException {
    return look.at(store, StoreNames.group(group)).stream()
        .filter(StoreEntry::directory)
        .flatMap(entry -> CheckpointId.parse(group, entry.name()).stream())
        .sorted()
        .toList();
  }

  /**
   * Requires that the containers of a manifest, and those that they lean on, exist with the listed
   * lengths, and that no part of a rank's checkpoint is missing among them.
   *
   * @throws IOException naming the container and the difference, or if a directory cannot be listed
   */
  public static void requireContainers(CheckpointStore store, CheckpointManifest manifest)
      throws IOException {
    String path = StoreNames.checkpoint(manifest.id());
    try {
      Parts.require(manifest);
    } catch (IllegalArgumentException e) {
      throw new FormatException(store.describe() + "/" + path, 0, String.valueOf(e.getMessage()));
    }
    new ListedFiles(store).requireContainers(path, manifest);
  }
}

package io.cairn.lab.study.cluster;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.format.StoreNames;
import io.cairn.testkit.CrashingMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The files of a group's checkpoints on a medium, as a list of its paths shows them once it is
 * mounted. Copies that a node keeps for other nodes are apart.
 */
final class CheckpointFiles {
  private CheckpointFiles() {}

  /** The paths by checkpoint, the oldest one first, each checkpoint's sorted; no copies. */
  static SortedMap<CheckpointId, List<String>> of(CrashingMedium medium, GroupId group) {
    return find(medium, group, path -> !isCopy(path));
  }

  /** Whether the claim of an epoch is there. */
  static boolean isClaimed(CrashingMedium medium, GroupId group, long epoch) {
    return medium
        .mountedPathsBelow(StoreNames.epochs(group))
        .contains(StoreNames.epoch(group, epoch));
  }

  private static boolean isCopy(String path) {
    return path.contains("/" + StoreNames.COPIES + "/");
  }

  private static SortedMap<CheckpointId, List<String>> find(
      CrashingMedium medium, GroupId group, Predicate<String> which) {
    SortedMap<CheckpointId, List<String>> found = new TreeMap<>();
    for (String path : medium.mountedPathsBelow(StoreNames.group(group))) {
      if (which.test(path)) {
        checkpoint(path, group)
            .ifPresent(id -> found.computeIfAbsent(id, i -> new ArrayList<>()).add(path));
      }
    }
    return found;
  }

  /** The checkpoints of which a manifest, or a part of one, is there; no copies. */
  static SortedSet<CheckpointId> published(CrashingMedium medium, GroupId group) {
    return published(of(medium, group));
  }

  /** Likewise, of the copies alone. */
  static SortedSet<CheckpointId> copied(CrashingMedium medium, GroupId group) {
    return published(find(medium, group, CheckpointFiles::isCopy));
  }

  private static SortedSet<CheckpointId> published(SortedMap<CheckpointId, List<String>> found) {
    SortedSet<CheckpointId> published = new TreeSet<>();
    found.forEach(
        (id, paths) -> {
          if (paths.stream().anyMatch(path -> StoreNames.isManifest(name(path)))) {
            published.add(id);
          }
        });
    return published;
  }

  /** The last segment of a path. */
  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The checkpoint whose directory holds a file. */
  private static Optional<CheckpointId> checkpoint(String path, GroupId group) {
    int end = path.lastIndexOf('/');
    return CheckpointId.parse(group, name(path.substring(0, end)));
  }
}

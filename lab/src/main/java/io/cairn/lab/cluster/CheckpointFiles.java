package io.cairn.lab.cluster;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.flush.format.Layout;
import io.cairn.flush.store.CrashingMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The files of a group's checkpoints on a medium, as a list of its paths shows them. */
final class CheckpointFiles {
  private CheckpointFiles() {}

  /** The paths by checkpoint, the oldest one first, each checkpoint's sorted. */
  static SortedMap<CheckpointId, List<String>> of(CrashingMedium medium, GroupId group) {
    SortedMap<CheckpointId, List<String>> found = new TreeMap<>();
    for (String path : medium.pathsBelow(Layout.group(group))) {
      checkpoint(path, group)
          .ifPresent(id -> found.computeIfAbsent(id, i -> new ArrayList<>()).add(path));
    }
    return found;
  }

  /** The checkpoints of which a manifest, or a part of one, is there. */
  static SortedSet<CheckpointId> published(CrashingMedium medium, GroupId group) {
    SortedSet<CheckpointId> published = new TreeSet<>();
    of(medium, group)
        .forEach(
            (id, paths) -> {
              if (paths.stream().anyMatch(path -> Layout.isManifest(name(path)))) {
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

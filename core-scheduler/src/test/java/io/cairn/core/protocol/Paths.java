package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** Where a simulated group keeps what: the layout on disk, below the group's directory. */
final class Paths {
  static final GroupId GROUP = new GroupId("digits", "fold-0");
  static final String EPOCHS = "epochs";
  private static final String MANIFEST = "/MANIFEST";

  private Paths() {}

  static String epoch(long epoch) {
    return EPOCHS + "/" + epoch;
  }

  static long highestEpoch(Collection<String> names) {
    return names.stream()
        .filter(name -> name.startsWith(EPOCHS + "/"))
        .mapToLong(name -> Long.parseLong(name.substring(EPOCHS.length() + 1)))
        .max()
        .orElse(0);
  }

  static String manifest(CheckpointId id) {
    return id.directory() + MANIFEST;
  }

  static String temporary(CheckpointId id, String nonce) {
    return id.directory() + "/.MANIFEST." + nonce + ".tmp";
  }

  static String container(CheckpointId id, int rank) {
    return id.directory() + "/writer-" + rank + ".chunks";
  }

  static boolean isContainer(String path) {
    return path.endsWith(".chunks");
  }

  static boolean isManifest(String path) {
    return path.endsWith(MANIFEST);
  }

  /** The checkpoint that a file belongs to; empty for the file of an epoch. */
  static Optional<CheckpointId> idOf(String path) {
    return CheckpointId.parse(GROUP, path.substring(0, path.indexOf('/')));
  }

  /** Every checkpoint that has a file, oldest first. */
  static NavigableSet<CheckpointId> ids(Collection<String> names) {
    NavigableSet<CheckpointId> ids = new TreeSet<>();
    names.forEach(name -> idOf(name).ifPresent(ids::add));
    return ids;
  }
}

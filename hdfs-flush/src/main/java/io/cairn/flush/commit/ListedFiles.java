package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The names and lengths of the files of checkpoints. Lists each directory once, when it is asked
 * for. Not thread-safe.
 */
final class ListedFiles {
  private static final long ABSENT = -1;

  private final CheckpointStore store;
  private final Map<CheckpointId, Map<String, Long>> listed = new HashMap<>();

  ListedFiles(CheckpointStore store) {
    this.store = store;
  }

  /** The lengths of a checkpoint's files by their names, in order; none without a directory. */
  Map<String, Long> of(CheckpointId id) throws IOException {
    Map<String, Long> known = listed.get(id);
    if (known == null) {
      known =
          store.list(StoreNames.checkpoint(id)).stream()
              .filter(file -> !file.directory())
              .collect(
                  Collectors.toMap(StoreEntry::name, StoreEntry::bytes, Math::max, TreeMap::new));
      listed.put(id, known);
    }
    return known;
  }

  /**
   * Requires that the containers of a manifest, and those that they lean on, exist with the listed
   * lengths.
   *
   * @param path of the manifest, for the message
   * @throws FormatException naming the file and the difference
   * @throws IOException if a directory cannot be listed
   */
  void requireContainers(String path, CheckpointManifest manifest) throws IOException {
    for (ContainerSummary container : manifest.containers()) {
      require(path, "names", manifest.id(), container.file(), container.bytes());
    }
    for (Holder holder : manifest.holders()) {
      CheckpointId id = holder.in(manifest.id().group());
      require(path, "leans on " + id.directory(), id, holder.file(), holder.bytes());
    }
  }

  private void require(String path, String verb, CheckpointId id, String name, long expected)
      throws IOException {
    long bytes = of(id).getOrDefault(name, ABSENT);
    if (bytes != expected) {
      throw new FormatException(
          store.describe() + "/" + path,
          0,
          String.format(
              Locale.ROOT,
              "%s %s of %d bytes, which %s",
              verb,
              name,
              expected,
              bytes == ABSENT ? "does not exist" : "has " + bytes));
    }
  }
}

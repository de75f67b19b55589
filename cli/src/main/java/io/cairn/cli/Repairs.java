package io.cairn.cli;

import io.cairn.GroupId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.OpenParts;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.StoreRepair;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Repairs damaged checkpoints of a store from the directories of nodes, their own copies and those
 * that they keep for others. Not thread-safe.
 */
final class Repairs implements AutoCloseable {
  private final CheckpointStore store;
  private final List<CheckpointStore> nodes = new ArrayList<>();
  private final List<Repair> done = new ArrayList<>();

  /**
   * One container.
   *
   * @param replaced whether a good one took its place
   * @param note where its chunks came from, or why it was not replaced
   */
  record Repair(String checkpoint, String file, boolean replaced, String note) {
    @Override
    public String toString() {
      return (replaced ? "repaired: " : "not repaired: ") + file + ": " + note;
    }
  }

  /**
   * Opens the nodes for reading.
   *
   * @param store with the damage, open for writing; stays the caller's to close
   * @throws IOException if a node has no directory for this store
   */
  Repairs(CheckpointStore store, List<Path> directories) throws IOException {
    this(store, directories, CheckpointStores::openForReading);
  }

  /** Like the other constructor, with another way to open the directory of a node. */
  Repairs(CheckpointStore store, List<Path> directories, Opening opening) throws IOException {
    this.store = store;
    String identity = directories.isEmpty() ? "" : StoreIdentity.known(store);
    try {
      for (Path directory : directories) {
        // a node keeps what it has of a store under the store's own name
        nodes.add(opening.open(directory.resolve(identity).toString()));
      }
    } catch (IOException | RuntimeException e) {
      OpenParts.closeAllAfter(nodes, e);
      throw e;
    }
  }

  /** Opens a store for reading. */
  interface Opening {
    /** Opens the store in a directory, which exists. */
    CheckpointStore open(String directory) throws IOException;
  }

  /** The repairs so far. */
  List<Repair> done() {
    return List.copyOf(done);
  }

  /**
   * Repairs checkpoints of a group, the oldest first, since newer ones may lean on them.
   *
   * @param damaged the checkpoints, by their names
   */
  void run(GroupId group, Set<String> damaged) throws IOException {
    StoreRepair repair = new StoreRepair(store, copies(group));
    List<CheckpointManifest> manifests =
        Inventory.list(store, group)
            .manifests()
            .filter(manifest -> damaged.contains(manifest.id().toString()))
            .sorted(Comparator.comparing(CheckpointManifest::id))
            .toList();
    for (CheckpointManifest manifest : manifests) {
      for (ContainerSummary container : manifest.containers()) {
        run(repair, manifest, container);
      }
    }
  }

  private List<CheckpointStore> copies(GroupId group) throws IOException {
    Optional<String> birth = GroupBirth.find(store, group);
    List<CheckpointStore> copies = new ArrayList<>();
    if (birth.isPresent()) {
      for (CheckpointStore node : nodes) {
        copies.add(new SubdirectoryStore(node, StoreNames.life(group, birth.get())));
        copies.add(new SubdirectoryStore(node, StoreNames.copies(group, birth.get())));
      }
    }
    return copies;
  }

  private void run(StoreRepair repair, CheckpointManifest manifest, ContainerSummary container) {
    String file = store.describe() + "/" + StoreNames.file(manifest.id(), container.file());
    String checkpoint = manifest.id().toString();
    try {
      repair
          .run(manifest, container)
          .map(each -> Units.count(each.fetched(), "chunk") + " from a node")
          .ifPresent(note -> done.add(new Repair(checkpoint, file, true, note)));
    } catch (IOException e) {
      done.add(new Repair(checkpoint, file, false, String.valueOf(e.getMessage())));
    }
  }

  /** Closes the nodes, all of them whatever fails. */
  @Override
  public void close() throws IOException {
    IOException failed = new IOException("nodes could not be closed");
    OpenParts.closeAllAfter(nodes, failed);
    if (failed.getSuppressed().length > 0) {
      throw failed;
    }
  }
}

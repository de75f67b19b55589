package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Examination;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The deletion of one checkpoint that its user names, although it may be the newest and good: its
 * state is poisoned, or its manifest cannot be read. Not thread-safe.
 *
 * @param id the checkpoint
 * @param next the checkpoint that a restore takes then
 */
record Discard(CheckpointStore store, CheckpointId id, CheckpointId next) {
  /**
   * Finds the checkpoint, and the one that a restore takes without it.
   *
   * @param label as {@code list} prints it
   * @throws IllegalArgumentException if there is no such checkpoint, or in several groups, or if no
   *     other one can be restored
   * @throws IOException if a checkpoint cannot be read now
   */
  static Discard of(CheckpointStore store, List<GroupId> groups, String label) throws IOException {
    SortedMap<CheckpointId, Inventory.Listing> found = new TreeMap<>();
    for (GroupId group : groups) {
      Inventory.Listing listing = Inventory.list(store, group);
      listing.everything().stream()
          .filter(each -> each.label().equals(label))
          .forEach(each -> found.put(each, listing));
    }
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          found.isEmpty()
              ? store.describe() + " has no checkpoint '" + label + "' of " + groups
              : "several groups have a checkpoint " + label + ": choose one by --job and --group");
    }
    Map.Entry<CheckpointId, Inventory.Listing> only = found.entrySet().iterator().next();
    CheckpointId id = only.getKey();
    CheckpointId next =
        next(store, only.getValue(), id)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "without %s nothing of %s can be restored. To start afresh, name another"
                                .formatted(label, id.group())
                            + " group or job, or set resume (on Spark spark.cairn.resume) to"
                            + " never"));
    return new Discard(store, id, next);
  }

  private static Optional<CheckpointId> next(
      CheckpointStore store, Inventory.Listing listing, CheckpointId without) throws IOException {
    SortedMap<CheckpointId, StoredCheckpoint> others = new TreeMap<>(listing.checkpoints());
    others.remove(without);
    Inventory.Listing rest =
        new Inventory.Listing(
            others,
            listing.problems().stream().filter(each -> !each.id().equals(without)).toList(),
            List.of(),
            List.of(),
            Optional.empty());
    for (StoredCheckpoint each : rest.alive(StoredCheckpoint::coversGroup)) {
      if (isGood(store, each)) {
        return Optional.of(each.id());
      }
    }
    return Optional.empty();
  }

  private static boolean isGood(CheckpointStore store, StoredCheckpoint stored) throws IOException {
    StagingBuffer staging = new StagingBuffer();
    for (int rank : stored.ranks()) {
      if (Examination.of(store, stored.id(), rank, stored.containersOf(rank), staging)
          .isPresent()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Deletes it, on the nodes before STORE: a copy at a node alone would be restored again.
   *
   * @param nodes the directories of nodes that may have copies
   * @throws IOException if something of it may still be there; a second call goes on
   */
  void run(List<Path> nodes) throws IOException {
    for (Path node : nodes) {
      dropAt(node);
    }
    // the mark would show it as lost
    new GroupMemory(store).forgetSeals(id.group());
    drop(store);
  }

  private void dropAt(Path node) throws IOException {
    Optional<String> birth = GroupBirth.find(store, id.group());
    if (birth.isEmpty()) {
      return;
    }
    String root = node.resolve(StoreIdentity.known(store)).toString();
    try (CheckpointStore copies = CheckpointStores.openExisting(root)) {
      drop(new SubdirectoryStore(copies, StoreNames.life(id.group(), birth.get())));
      drop(new SubdirectoryStore(copies, StoreNames.copies(id.group(), birth.get())));
    }
  }

  private void drop(CheckpointStore from) throws IOException {
    Retention.ofEnded(from).drop(id);
  }
}

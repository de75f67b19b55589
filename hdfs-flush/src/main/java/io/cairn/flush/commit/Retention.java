package io.cairn.flush.commit;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.Lineage;
import io.cairn.flush.commit.Inventory.Listing;
import io.cairn.flush.format.Layout;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Deletes from a store what no restore of the group will want: checkpoints beyond the newest few
 * that are alive, dead ones, and what older epochs left unfinished. Thread-safe; of two that run at
 * once, both may report the same directory.
 *
 * <p>Three things make it safe. It does nothing before the current epoch has a checkpoint sealed in
 * this store, and nothing once a newer epoch exists. Of a checkpoint, the temporary manifests and
 * the manifests go first, and only after these deletes succeeded the containers: so nothing that an
 * older epoch still has under way can be published over missing containers, and nobody ever reads a
 * manifest whose containers are being deleted. And what stays in doubt stays: a manifest that
 * cannot be read, or a sealed checkpoint of another line, is deleted only when as many as wanted
 * are kept.
 */
public final class Retention {
  /** Rounds of deleting manifests that appear while they are deleted. */
  private static final int ROUNDS = 4;

  private final CheckpointStore store;

  /** Deletes in this store. */
  public Retention(CheckpointStore store) {
    this.store = store;
  }

  /**
   * What was done.
   *
   * @param kept the newest that are alive, newest first; empty if it was not yet, or no longer,
   *     this epoch's turn to delete
   * @param deleted directories that are gone
   * @param problems deletes that failed, for people; they will be tried by the next call
   */
  public record Report(List<CheckpointId> kept, List<CheckpointId> deleted, List<String> problems) {
    /** Copies all three. */
    public Report {
      kept = List.copyOf(kept);
      deleted = List.copyOf(deleted);
      problems = List.copyOf(problems);
    }

    private static Report nothing() {
      return new Report(List.of(), List.of(), List.of());
    }
  }

  /**
   * Keeps the newest {@code keep} checkpoints that are alive and sealed here, and deletes what is
   * older or dead. Leaves alone: directories of newer epochs, and those of the current epoch that
   * are not sealed, since they may be in progress.
   *
   * @param currentEpoch the caller's
   * @param keep at least 1
   * @throws IOException if the store cannot be listed; nothing was deleted then
   */
  public Report apply(GroupId group, long currentEpoch, int keep) throws IOException {
    return apply(group, currentEpoch, keep, StoredCheckpoint::coversGroup, Set.of());
  }

  /**
   * The same where this store does not see all parts of a manifest, such as the NODE of one machine
   * among several: the caller knows what is sealed there.
   *
   * @param isSealed whether every rank of the group has its data at this level
   * @param inUse left alone, whatever they are
   */
  public Report apply(
      GroupId group,
      long currentEpoch,
      int keep,
      Predicate<StoredCheckpoint> isSealed,
      Set<CheckpointId> inUse)
      throws IOException {
    if (keep < 1) {
      throw new IllegalArgumentException(
          "keep " + keep + " checkpoints of " + group + ": at least 1");
    }
    Listing listing = Inventory.list(store, group);
    Map<CheckpointId, Ancestry> sealed = new TreeMap<>();
    listing.checkpoints().values().stream()
        .filter(isSealed)
        .forEach(stored -> sealed.put(stored.id(), stored.ancestry()));
    if (sealed.keySet().stream().noneMatch(id -> id.epoch() == currentEpoch)
        || newestEpoch(group, listing) > currentEpoch) {
      return Report.nothing();
    }
    List<CheckpointId> alive = Lineage.alive(sealed);
    List<CheckpointId> kept = alive.subList(0, Math.min(keep, alive.size()));
    List<CheckpointId> doomed =
        doomed(listing, sealed.keySet(), kept, currentEpoch, keep).stream()
            .filter(id -> !inUse.contains(id))
            .toList();
    return delete(doomed, kept);
  }

  private long newestEpoch(GroupId group, Listing listing) throws IOException {
    long newest = new EpochFiles(store).newest(group);
    for (CheckpointId id : listing.everything()) {
      newest = Math.max(newest, id.epoch());
    }
    return newest;
  }

  private static List<CheckpointId> doomed(
      Listing listing,
      Set<CheckpointId> sealed,
      List<CheckpointId> kept,
      long currentEpoch,
      int keep) {
    CheckpointId oldestKept = kept.get(kept.size() - 1);
    Set<CheckpointId> doubtful =
        listing.problems().stream().map(Inventory.Problem::id).collect(Collectors.toSet());
    List<CheckpointId> doomed = new ArrayList<>(listing.everything());
    doomed.removeAll(kept);
    doomed.removeIf(
        id -> {
          boolean past = id.epoch() < currentEpoch;
          boolean enough = kept.size() == keep;
          boolean older = enough && id.compareTo(oldestKept) < 0;
          if (doubtful.contains(id)) {
            return !(past && older);
          } else if (sealed.contains(id)) {
            // of another line, perhaps: as long as this one has too few, that is all there is
            return !(older || (enough && past));
          }
          // never sealed; each rank's flushes end in order, so what is older will not be any more
          return !(past || older);
        });
    return doomed;
  }

  private Report delete(List<CheckpointId> doomed, List<CheckpointId> kept) {
    List<CheckpointId> deleted = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (CheckpointId id : doomed) {
      try {
        if (withdraw(id)) {
          store.deleteDirectory(Layout.checkpoint(id));
          deleted.add(id);
        } else {
          problems.add(id + ": its manifests come back while they are deleted");
        }
      } catch (IOException e) {
        problems.add(id + " in " + store.describe() + ": " + e.getMessage());
      }
    }
    return new Report(kept, deleted, problems);
  }

  /** Deletes what is or may become a manifest, until a listing shows none. */
  private boolean withdraw(CheckpointId id) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Set<String> names = new HashSet<>();
      for (StoreEntry entry : store.list(Layout.checkpoint(id))) {
        if (Layout.isManifest(entry.name()) || Layout.isTemporaryManifest(entry.name())) {
          names.add(entry.name());
        }
      }
      if (names.isEmpty()) {
        return true;
      }
      for (String name : names) {
        store.delete(Layout.file(id, name));
      }
    }
    return false;
  }
}

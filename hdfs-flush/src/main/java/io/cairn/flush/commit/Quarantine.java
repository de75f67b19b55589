package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies of single ranks that were proven bad, set aside in the directories of their checkpoints.
 * No listing offers them, and no reader takes their files for data. They go with their checkpoint,
 * or when a newer bad copy of the same rank takes their place. Stateless; thread-safe.
 */
public final class Quarantine {
  private final CheckpointStore store;

  /** The quarantine of this store. */
  public Quarantine(CheckpointStore store) {
    this.store = store;
  }

  /**
   * Sets a rank's copy aside, in the place of an earlier one of the same checkpoint. Its part of
   * the manifest goes first, in one step: from then on nobody is offered the copy. Containers that
   * another checkpoint leans on keep their names.
   *
   * @param replacement the container that stays, for the next part to name
   * @throws NoSuchFileException if the rank has no part here
   * @throws IOException if a name could not be changed; the copy may be set aside in part
   */
  public void add(CheckpointId id, int rank, String replacement) throws IOException {
    List<String> names = names(id);
    String part = StoreNames.manifestPart(rank);
    if (!names.contains(part)) {
      throw new NoSuchFileException(store.describe() + "/" + StoreNames.file(id, part));
    }
    delete(id, rank, names);
    setAside(id, part);
    Inventory.Listing listing = Inventory.listAppearing(store, id.group(), new KnownManifests());
    Leaned leaned = new Leaned(store, listing, List.of());
    for (String name : names) {
      if (StoreNames.isContainerOf(rank, name)
          && !name.equals(replacement)
          && !leaned.in(id).contains(name)
          && !leaned.isInDoubt(id)) {
        setAside(id, name);
      }
    }
  }

  private List<String> names(CheckpointId id) throws IOException {
    return store.list(StoreNames.checkpoint(id)).stream().map(StoreEntry::name).toList();
  }

  private void setAside(CheckpointId id, String name) throws IOException {
    store.publish(StoreNames.file(id, name), StoreNames.file(id, StoreNames.quarantined(name)));
  }

  private void delete(CheckpointId id, int rank, List<String> names) throws IOException {
    for (String name : names) {
      if (isOf(rank, name)) {
        store.delete(StoreNames.file(id, name));
      }
    }
  }

  private static boolean isOf(int rank, String name) {
    return StoreNames.parseQuarantined(name)
        .filter(
            former ->
                former.equals(StoreNames.manifestPart(rank))
                    || StoreNames.isContainerOf(rank, former))
        .isPresent();
  }

  /** Whether a rank's copy of a checkpoint was set aside. */
  public boolean holds(CheckpointId id, int rank) throws IOException {
    return names(id).contains(StoreNames.quarantined(StoreNames.manifestPart(rank)));
  }

  /**
   * Deletes a rank's copies in quarantine but that of one checkpoint. A copy that was not replaced
   * stays, too.
   *
   * @throws IOException if some could not be deleted
   */
  public void keepOnly(CheckpointId id, int rank) throws IOException {
    for (CheckpointId other : Inventory.directories(store, id.group())) {
      List<String> names = names(other);
      if (!other.equals(id) && names.contains(StoreNames.manifestPart(rank))) {
        delete(other, rank, names);
      }
    }
  }

  /**
   * A file that was set aside.
   *
   * @param file its present name
   * @param replaced whether a good one took its place: under its former name, or in a new part of
   *     the manifest
   */
  public record SetAside(CheckpointId id, String file, boolean replaced) {}

  /** The paths of the files that were set aside in a group, the oldest checkpoint first. */
  public List<String> files(GroupId group) throws IOException {
    return setAside(group).stream().map(each -> StoreNames.file(each.id(), each.file())).toList();
  }

  /** The files that were set aside in a group, the oldest checkpoint first. */
  public List<SetAside> setAside(GroupId group) throws IOException {
    List<SetAside> files = new ArrayList<>();
    for (CheckpointId id : Inventory.directories(store, group)) {
      List<String> names = names(id);
      for (String name : names) {
        StoreNames.parseQuarantined(name)
            .ifPresent(former -> files.add(new SetAside(id, name, isReplaced(former, names))));
      }
    }
    return files;
  }

  private static boolean isReplaced(String former, List<String> names) {
    return names.contains(former) || StoreNames.partOf(former).filter(names::contains).isPresent();
  }
}

package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.cadence.Learned;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.flush.format.LearnedCodec;
import io.cairn.flush.format.NodeSealText;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a group's training that outlive its coordinator, beside its checkpoints: what its
 * cadence learned, the newest seal, where the newest one at NODE is, whether there ever was one,
 * and whether the training ended in order. Nothing depends on them but comfort. Thread-safe.
 */
public final class GroupMemory {
  private final CheckpointStore store;

  /** The only mark of its group, if this wrote it; null while it is not known. */
  private volatile @Nullable CheckpointId marked;

  /** The only note of nodes of its group, if this wrote it; null while it is not known. */
  private volatile @Nullable CheckpointId noted;

  /** The memory in this store. */
  public GroupMemory(CheckpointStore store) {
    this.store = store;
  }

  /**
   * Keeps measurements with a checkpoint; a second call for the same one changes nothing.
   *
   * @throws IOException if they could not be written
   */
  public void keep(CheckpointId id, Learned learned) throws IOException {
    try {
      SmallFile.write(store, StoreNames.file(id, StoreNames.CADENCE), LearnedCodec.encode(learned));
    } catch (FileAlreadyExistsException e) {
      // a commit that was repeated
    }
  }

  /**
   * The measurements that were kept with a checkpoint; empty if there are none, or no readable
   * ones.
   *
   * @throws IOException if they could not be read
   */
  public Optional<Learned> learned(CheckpointId id) throws IOException {
    try {
      String path = StoreNames.file(id, StoreNames.CADENCE);
      return LearnedCodec.decode(SmallFile.read(store, path, LearnedCodec.MAX_BYTES));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Marks that a training ended in order.
   *
   * @param last its epoch, and its last iteration, which an earlier epoch may have captured
   * @throws IOException if the mark could not be written
   */
  public void markEnd(CheckpointId last) throws IOException {
    try {
      store.create(StoreNames.end(last)).close();
    } catch (FileAlreadyExistsException e) {
      // the same end
    }
  }

  /**
   * Marks a checkpoint as sealed, and deletes the marks of older ones. A mark is a hint for people:
   * it shows that the newest manifest is lost.
   *
   * @throws IOException if the mark could not be written, or an older one not deleted
   */
  public void markSealed(CheckpointId sealed) throws IOException {
    try {
      store.create(StoreNames.seal(sealed)).close();
    } catch (FileAlreadyExistsException e) {
      // the same seal
    }
    CheckpointId last = marked;
    marked = null; // a delete that fails leaves several
    if (deleteOlder(sealed, last, StoreNames::seal, StoreNames::parseSeal)) {
      marked = sealed;
    }
  }

  /**
   * Deletes the files of one kind that older checkpoints have.
   *
   * @param last the only one that is not of {@code newest}; null if it is not known
   * @return whether no newer one has such a file
   */
  private boolean deleteOlder(
      CheckpointId newest,
      @Nullable CheckpointId last,
      Function<CheckpointId, String> path,
      BiFunction<GroupId, String, Optional<CheckpointId>> parse)
      throws IOException {
    GroupId group = newest.group();
    List<CheckpointId> others =
        last != null && last.group().equals(group) && last.compareTo(newest) < 0
            ? List.of(last)
            : marks(group, parse);
    boolean isNewest = true;
    for (CheckpointId other : others) {
      if (other.compareTo(newest) < 0) {
        store.delete(path.apply(other));
      }
      isNewest &= other.compareTo(newest) <= 0;
    }
    return isNewest;
  }

  /**
   * Notes at which nodes a checkpoint was sealed, and deletes the notes of older ones.
   *
   * @throws IOException if it could not be written, or an older one not deleted
   */
  public void noteNodes(NodeSeal seal) throws IOException {
    CheckpointId last = noted;
    noted = null;
    try {
      SmallFile.write(store, StoreNames.nodes(seal.id()), NodeSealText.of(seal));
    } catch (FileAlreadyExistsException e) {
      // the same seal
    }
    if (deleteOlder(seal.id(), last, StoreNames::nodes, StoreNames::parseNodes)) {
      noted = seal.id();
    }
  }

  /**
   * The newest checkpoint of which it is noted where it was sealed at NODE; empty if there is none,
   * or its note cannot be understood.
   *
   * @throws IOException if the store cannot be asked
   */
  public Optional<NodeSeal> newestAtNode(GroupId group) throws IOException {
    Optional<CheckpointId> newest =
        marks(group, StoreNames::parseNodes).stream().max(Comparator.naturalOrder());
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    try {
      String path = StoreNames.nodes(newest.get());
      return NodeSealText.read(newest.get(), SmallFile.read(store, path, NodeSealText.MAX_BYTES));
    } catch (NoSuchFileException e) {
      return Optional.empty(); // a newer note has taken its place
    }
  }

  /**
   * Marks that a group has sealed a checkpoint above DEVICE.
   *
   * @throws IOException if the mark could not be written
   */
  public void markAnySealed(GroupId group) throws IOException {
    try {
      store.create(StoreNames.anySealed(group)).close();
    } catch (FileAlreadyExistsException e) {
      // marked before
    }
  }

  /**
   * Whether a group may have sealed a checkpoint above DEVICE: it is marked, or the store has lost
   * the claim of one of these epochs, and so perhaps the mark.
   *
   * @param epochs that are known to have begun
   * @throws IOException if the store cannot be asked
   */
  public boolean mayHaveSealed(GroupId group, Collection<Long> epochs) throws IOException {
    Set<String> present =
        store.list(StoreNames.epochs(group)).stream()
            .map(entry -> StoreNames.epochs(group) + "/" + entry.name())
            .collect(Collectors.toSet());
    return present.contains(StoreNames.anySealed(group))
        || !epochs.stream().allMatch(epoch -> present.contains(StoreNames.epoch(group, epoch)));
  }

  /** The newest checkpoint that is marked as sealed; empty if none is. */
  public Optional<CheckpointId> newestSealed(GroupId group) throws IOException {
    return marks(group, StoreNames::parseSeal).stream().max(Comparator.naturalOrder());
  }

  /** Deletes the marks of seals, before somebody deletes the checkpoints on purpose. */
  public void forgetSeals(GroupId group) throws IOException {
    for (CheckpointId sealed : marks(group, StoreNames::parseSeal)) {
      store.delete(StoreNames.seal(sealed));
    }
    for (CheckpointId sealed : marks(group, StoreNames::parseNodes)) {
      store.delete(StoreNames.nodes(sealed));
    }
  }

  private List<CheckpointId> marks(
      GroupId group, BiFunction<GroupId, String, Optional<CheckpointId>> parse) throws IOException {
    return store.list(StoreNames.epochs(group)).stream()
        .flatMap(entry -> parse.apply(group, entry.name()).stream())
        .toList();
  }

  /**
   * Whether the group's newest training ended in order, with this checkpoint.
   *
   * @param newest the group's newest one
   * @throws IOException if the store cannot be listed
   */
  public boolean hasEnded(CheckpointId newest) throws IOException {
    return end(newest.group())
        .filter(end -> end.compareTo(newest) >= 0 && end.iteration() == newest.iteration())
        .isPresent();
  }

  /**
   * The end of the group's newest training that ended in order: its epoch, and the last iteration.
   * An epoch that computed nothing ends with the checkpoint of an earlier one. Empty if none ended.
   *
   * @throws IOException if the store cannot be listed
   */
  public Optional<CheckpointId> end(GroupId group) throws IOException {
    return store.list(StoreNames.epochs(group)).stream()
        .map(StoreEntry::name)
        .flatMap(name -> StoreNames.parseEnd(group, name).stream())
        .max(Comparator.naturalOrder());
  }
}

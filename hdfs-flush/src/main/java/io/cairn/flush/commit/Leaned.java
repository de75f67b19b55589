package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.core.model.Holder;
import io.cairn.flush.commit.Inventory.Listing;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.format.UnnamedContainer;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The containers that the checkpoints of a listing lean on, by their manifests. */
final class Leaned {
  private static final Logger LOG = LoggerFactory.getLogger(Leaned.class);

  private final Map<CheckpointId, Set<String>> files = new HashMap<>();

  /** Checkpoints that may lean on older ones; their manifests cannot be read now. */
  private final Set<CheckpointId> unread = new HashSet<>();

  /**
   * The containers that a group's checkpoints lean on.
   *
   * @param without checkpoints whose manifests were deleted since
   */
  Leaned(CheckpointStore store, Listing listing, Collection<CheckpointId> without) {
    listing
        .manifests()
        .filter(manifest -> !without.contains(manifest.id()))
        .forEach(
            manifest -> {
              for (Holder holder : manifest.holders()) {
                CheckpointId id = holder.in(manifest.id().group());
                files.computeIfAbsent(id, i -> new HashSet<>()).add(holder.file());
              }
            });
    for (Inventory.Problem problem : listing.problems()) {
      CheckpointId id = problem.id();
      if (problem.passing() && !without.contains(id) && mayLean(store, id)) {
        unread.add(id);
      }
    }
  }

  /**
   * Whether a container of a checkpoint leans on others, or may, since it cannot be read either.
   */
  private static boolean mayLean(CheckpointStore store, CheckpointId id) {
    try {
      for (StoreEntry file : store.list(StoreNames.checkpoint(id))) {
        if (StoreNames.isContainer(file.name())
            && UnnamedContainer.read(store, id, file.name()).holders() > 0) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      LOG.debug("It is not known whether {} leans on older checkpoints", id, e);
      return true;
    }
  }

  /** The files of a checkpoint that others lean on. */
  Set<String> in(CheckpointId id) {
    return files.getOrDefault(id, Set.of());
  }

  /** Whether a manifest that could not be read may lean on a checkpoint. */
  boolean isInDoubt(CheckpointId id) {
    return unread.stream().anyMatch(newer -> newer.compareTo(id) > 0);
  }
}

package io.cairn.engine.coordination;

import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.Origin;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Takes a group's epochs in the store, and looks whether they are still the newest. Does I/O; only
 * the store's thread uses it.
 */
final class EpochWatch {
  private final CheckpointStore store;
  private final GroupId group;
  private final EpochFiles epochs;
  private String birth = "";
  private long claimed;

  EpochWatch(CheckpointStore store, GroupId group) {
    this.store = store;
    this.group = group;
    this.epochs = new EpochFiles(store);
  }

  /** The answer of the store to a look. */
  sealed interface Look {
    /** No later epoch exists. */
    record Newest() implements Look {}

    /** The epoch is over, for this reason. */
    record Over(String reason) implements Look {}

    /** The store does not show whether a later epoch exists. */
    record Unknown(IOException cause) implements Look {}
  }

  /**
   * Compares the births that the ranks found in their stores with this store's.
   *
   * @return the reason why a rank cannot join; empty if all can
   */
  Optional<String> stranger(Map<Integer, Origin> origins) throws IOException {
    birth = GroupBirth.of(store, group);
    return origins.entrySet().stream()
        .filter(rank -> !rank.getValue().birth().equals(birth))
        .findFirst()
        .map(rank -> stranger(rank.getKey()));
  }

  private String stranger(int rank) {
    return String.format(
        Locale.ROOT,
        ("rank %d of %s has another store than its coordinator, which uses %s. Nobody would find"
            + " its checkpoints: give all processes the same store, mounted on every machine"),
        rank,
        group,
        store.describe());
  }

  /** Takes an epoch above all that these ranks know. */
  long take(Map<Integer, Origin> origins, String who) throws IOException {
    long above = origins.values().stream().mapToLong(Origin::epoch).max().orElse(0);
    claimed = epochs.take(group, above, who);
    return claimed;
  }

  /** Whether this process took no epoch after this one. */
  boolean isClaimed(long epoch) {
    return epoch >= claimed;
  }

  /** Looks for an epoch after this one, and for another birth of the group. */
  Look look(long epoch) {
    try {
      Optional<String> now = GroupBirth.find(store, group);
      long newest = epochs.newest(group);
      if (now.isPresent() && !now.get().equals(birth)) {
        return new Look.Over(
            "the directory of " + group + " was deleted, and another run began it");
      }
      return newest <= epoch ? new Look.Newest() : new Look.Over(taken(newest));
    } catch (IOException e) {
      return new Look.Unknown(e);
    }
  }

  private String taken(long newest) {
    return newest == claimed
        ? "epoch " + newest + " of " + group + " began"
        : String.format(
            Locale.ROOT, "epoch %d of %s was taken by %s", newest, group, holder(newest));
  }

  /** For people. The file's name shows that the epoch was taken, whether it can be read or not. */
  private String holder(long epoch) {
    try {
      return epochs.holder(group, epoch).orElse("an unknown process");
    } catch (IOException e) {
      return "a process whose name cannot be read: " + e.getMessage();
    }
  }
}

package io.cairn.engine.coordination;

import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.CoordinatorEvent;
import io.cairn.core.protocol.Origin;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a group's epochs in the store, and looks whether they are still the newest. Does I/O; only
 * the store's thread uses it.
 */
final class EpochWatch {
  private static final Logger LOG = LoggerFactory.getLogger(EpochWatch.class);

  private final CheckpointStore store;
  private final GroupId group;
  private final EpochFiles epochs;
  private String birth = "";

  /** The name of the store, as far as this process knows it. */
  private Optional<String> identity = Optional.empty();

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

    /** The directory is not the one in which this process took its epoch, for this reason. */
    record Elsewhere(String reason) implements Look {}

    /** The store does not show whether a later epoch exists. */
    record Unknown(IOException cause) implements Look {}
  }

  /**
   * Compares the births that the ranks found in their stores with this store's.
   *
   * @return the reason why a rank cannot join; empty if all can
   */
  Optional<String> stranger(Map<Integer, Origin> origins) throws IOException {
    Optional<String> another = another();
    if (another.isPresent()) {
      throw new IOException(another.get());
    }
    identity = identity.or(this::present);
    birth =
        GroupBirth.find(store, group)
            .orElseThrow(
                () -> new IOException(elsewhere("it does not know the birth of " + group)));
    return origins.entrySet().stream()
        .filter(rank -> !rank.getValue().birth().equals(birth))
        .findFirst()
        .map(rank -> stranger(rank.getKey()));
  }

  private String stranger(int rank) {
    return new CoordinatorEvent.BirthFound(birth, store.describe()).refusal(group, rank);
  }

  /** Takes an epoch above all that these ranks know. */
  long take(Map<Integer, Origin> origins, String who) throws IOException {
    long above = origins.values().stream().mapToLong(Origin::epoch).max().orElse(0);
    claimed = epochs.take(group, above, who, identity);
    return claimed;
  }

  /** Whether this process took no epoch after this one. */
  boolean isClaimed(long epoch) {
    return epoch >= claimed;
  }

  /**
   * Looks for an epoch after this one, and for another birth of the group. The look finds what this
   * process knows of the store: its name, the birth, and the own claim. A directory that took the
   * place of the store, for instance below a missing mount, shows no later epoch either.
   */
  Look look(long epoch) {
    try {
      Optional<String> another = another();
      if (another.isPresent()) {
        return new Look.Elsewhere(another.get());
      }
      Optional<String> now = GroupBirth.find(store, group);
      if (now.isPresent() && !now.get().equals(birth)) {
        return new Look.Over(
            "the directory of " + group + " was deleted, and another run began it");
      }
      List<Long> taken = epochs.taken(group);
      long newest = taken.isEmpty() ? 0 : taken.get(taken.size() - 1);
      if (newest > epoch) {
        return new Look.Over(taken(newest));
      } else if (now.isEmpty() && !birth.isEmpty()) {
        return new Look.Elsewhere(elsewhere("it does not know the birth of " + group));
      } else if (claimed > 0 && !taken.contains(claimed)) {
        return new Look.Elsewhere(elsewhere("it has not the claim of epoch " + claimed));
      }
      return new Look.Newest();
    } catch (IOException e) {
      return new Look.Unknown(e);
    }
  }

  /** The reason why the store is not the one that this process knows; empty if it is. */
  private Optional<String> another() {
    if (identity.isEmpty()) {
      return Optional.empty();
    }
    try {
      String name = StoreIdentity.read(store);
      return name.equals(identity.get())
          ? Optional.empty()
          : Optional.of(elsewhere("its name is " + name + " and was " + identity.get()));
    } catch (NoSuchFileException e) {
      return Optional.of(elsewhere("it has no " + StoreIdentity.FILE));
    } catch (IOException e) {
      LOG.debug("{} shows no name", store.describe(), e);
      return Optional.empty(); // damaged or unreadable, so birth and claim decide
    }
  }

  private Optional<String> present() {
    try {
      return Optional.of(StoreIdentity.read(store));
    } catch (IOException e) {
      LOG.debug("{} shows no name", store.describe(), e);
      return Optional.empty();
    }
  }

  private String elsewhere(String lack) {
    return store.describe()
        + " is another directory than before: "
        + lack
        + ". Mount the file system of STORE again";
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

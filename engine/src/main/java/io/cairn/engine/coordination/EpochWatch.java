package io.cairn.engine.coordination;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.protocol.CoordinatorEvent;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.Standing;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a group's epochs in the store, and looks whether they are still the newest. Does I/O; only
 * the store's thread uses it.
 */
final class EpochWatch {
  private static final Logger LOG = LoggerFactory.getLogger(EpochWatch.class);

  /** More than a device cache has epochs of. */
  private static final int MOST_VOUCHED = 64;

  /** For a look at the directory, not at its epochs. */
  static final long ANY = Long.MAX_VALUE;

  private final CheckpointStore store;
  private final GroupId group;
  private final EpochFiles epochs;
  private final String by = UUID.randomUUID().toString();
  private String birth = "";

  /** The name of the store, as far as this process knows it. */
  private Optional<String> identity = Optional.empty();

  private long claimed;

  /** The first epoch that this process began. */
  private long first = Long.MAX_VALUE;

  /** Epochs that this process began without a claim, and that count all the same. */
  private final NavigableSet<Long> vouched = new TreeSet<>();

  /** STORE when the first of them began whose claim is open; null if there is none. */
  private @Nullable Seen seen;

  /** The claims and the published checkpoints of a group. */
  private record Seen(Set<Long> claims, Set<CheckpointId> published) {}

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

    /** The epoch has no claim yet. */
    record Unclaimed(String reason) implements Look {}
  }

  /** The result of a try to claim an epoch that began without a claim. */
  sealed interface Claim {
    /** The store has the claim, and nobody else used the group meanwhile. */
    record Made() implements Claim {}

    /** Another attempt used the group meanwhile: the epoch is over, for this reason. */
    record Lost(String reason) implements Claim {}

    /** The store takes no claim yet, or does not show who used the group. */
    record Open(IOException cause) implements Claim {}
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

  /**
   * Takes an epoch above all that these ranks know, and finds the claim again. STORE may have been
   * another directory just while the claim was written, and would give the epoch to the next one.
   */
  long take(Map<Integer, Origin> origins, String who) throws IOException {
    long before = claimed;
    claimed = epochs.take(group, newest(origins), who, identity);
    Look look = look(claimed);
    if (look instanceof Look.Elsewhere elsewhere) {
      claimed = before;
      throw new IOException(elsewhere.reason());
    } else if (look instanceof Look.Unknown unknown) {
      throw unknown.cause();
    }
    first = Math.min(first, claimed);
    return claimed;
  }

  private static long newest(Map<Integer, Origin> origins) {
    return origins.values().stream().mapToLong(Origin::epoch).max().orElse(0);
  }

  /** Whether this process began no epoch after this one. */
  boolean isNewest(long epoch) {
    return epoch >= claimed && (vouched.isEmpty() || epoch >= vouched.last());
  }

  /** Whether an epoch has begun whose claim is open. */
  boolean isUnclaimed() {
    return seen != null;
  }

  /** Whether this process began an epoch without a claim, and it counts all the same. */
  boolean isVouched(long epoch) {
    return vouched.contains(epoch);
  }

  private boolean isUnclaimed(long epoch) {
    boolean open = seen != null && vouched.contains(epoch);
    return open || (epoch > claimed && epoch != ANY);
  }

  /**
   * Begins an epoch without a claim, above all that these ranks and the store know.
   *
   * @throws IOException if the store cannot be read either
   */
  long beginUnclaimed(Map<Integer, Origin> origins) throws IOException {
    Optional<String> another = another();
    if (another.isPresent()) {
      throw new IOException(another.get());
    }
    long known = vouched.isEmpty() ? claimed : Math.max(claimed, vouched.last());
    return epochs.next(group, Math.max(newest(origins), known));
  }

  /** An epoch begins without a claim, with this survey of the store. */
  Standing unclaimed(long epoch, Inventory.Listing listing) throws IOException {
    Seen now = seen(listing);
    Seen before = seen;
    if (before == null || usedBetween(before, now).isPresent()) {
      vouched.clear();
      seen = now;
    }
    vouched.add(epoch);
    first = Math.min(first, epoch);
    if (vouched.size() > MOST_VOUCHED) {
      vouched.pollFirst();
    }
    return new Standing(false, by, first, List.copyOf(vouched));
  }

  /**
   * An epoch begins with a claim, and with this survey of the store. Those that began without one
   * count no more if another attempt has used the group since.
   */
  Standing claimed(Inventory.Listing listing) throws IOException {
    Seen before = seen;
    if (before != null && usedBetween(before, seen(listing)).isPresent()) {
      vouched.clear();
    }
    seen = null;
    return new Standing(true, by, first, List.copyOf(vouched));
  }

  /** An epoch begins with a claim, and the store does not show who has used the group since. */
  Standing claimedUnseen() {
    if (seen != null) {
      vouched.clear();
      seen = null;
    }
    return new Standing(true, by, first, List.copyOf(vouched));
  }

  /**
   * Claims an epoch that began without a claim. Nobody is fenced if another attempt has used the
   * group meanwhile. A last comparison follows the claim, since until then an earlier attempt may
   * report a checkpoint as sealed that this epoch knows nothing of.
   */
  Claim claim(long epoch, String who) {
    Seen before = seen;
    if (before == null || vouched.isEmpty() || epoch != vouched.last()) {
      return new Claim.Lost("a later epoch of " + group + " began");
    }
    try {
      Optional<String> another = another();
      if (another.isPresent()) {
        return new Claim.Open(new IOException(another.get()));
      }
      Optional<String> used = usedSince(before);
      if (used.isEmpty()) {
        boolean made = claimed == epoch || epochs.claim(group, epoch, who, identity);
        claimed = made ? epoch : claimed;
        used = made ? usedSince(before) : Optional.of(taken(epoch));
        if (made && used.isEmpty() && !epochs.taken(group).contains(epoch)) {
          claimed = 0; // it is written again
          return new Claim.Open(new IOException(lacks(epoch)));
        }
      }
      seen = null;
      if (used.isPresent()) {
        vouched.clear();
        return new Claim.Lost(used.get());
      }
      return new Claim.Made();
    } catch (IOException e) {
      return new Claim.Open(e);
    }
  }

  private Optional<String> usedSince(Seen before) throws IOException {
    Optional<String> now = GroupBirth.find(store, group);
    if (now.isEmpty()) {
      throw new IOException(elsewhere("it does not know the birth of " + group));
    } else if (!now.get().equals(birth)) {
      return Optional.of("the directory of " + group + " was deleted, and another run began it");
    }
    return usedBetween(before, seen(Inventory.listBorn(store, group)));
  }

  private Seen seen(Inventory.Listing listing) throws IOException {
    Set<CheckpointId> published = new HashSet<>(listing.checkpoints().keySet());
    listing.problems().forEach(problem -> published.add(problem.id()));
    return new Seen(Set.copyOf(epochs.taken(group)), published);
  }

  /** The use of the group by another attempt between two looks, for people; empty if none. */
  private Optional<String> usedBetween(Seen before, Seen now) throws IOException {
    for (long epoch : now.claims()) {
      boolean later = epoch != claimed && !before.claims().contains(epoch);
      if (later && !epochs.isOwn(group, epoch)) {
        return Optional.of(taken(epoch));
      }
    }
    return now.published().stream()
        .filter(id -> !before.published().contains(id))
        .max(Comparator.naturalOrder())
        .map(id -> id + " was sealed by another attempt after this one began");
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
      } else if (isUnclaimed(epoch)) {
        return new Look.Unclaimed(
            String.format(Locale.ROOT, "epoch %d of %s is not claimed yet", epoch, group));
      } else if (now.isEmpty() && !birth.isEmpty()) {
        return new Look.Elsewhere(elsewhere("it does not know the birth of " + group));
      } else if (claimed > 0 && !taken.contains(claimed)) {
        return new Look.Elsewhere(lacks(claimed));
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

  private String lacks(long epoch) {
    return elsewhere("it has not the claim of epoch " + epoch);
  }

  private String elsewhere(String lack) {
    return store.describe()
        + " is another directory than before: "
        + lack
        + ". Mount the file system of STORE again. A container that is written meanwhile stays"
        + " below its mount point";
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

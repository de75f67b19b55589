package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.flush.commit.Inventory.Listing;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Deletes checkpoints that no restore of the group needs: those beyond the newest few that are
 * alive, unless a {@link RetentionPolicy} keeps them, dead ones, and unfinished ones of older
 * epochs. Thread-safe; two concurrent calls may both report the same directory.
 */
public final class Retention {
  /*
   * Fencing
   * -------
   * Nothing is deleted before the current epoch has a sealed checkpoint in this store, nor once a
   * newer epoch exists.
   *
   * Order
   * -----
   * Temporary manifests and manifests are deleted first. The containers follow only after those
   * deletes succeeded. A publish that an older epoch still has under way therefore fails, and no
   * reader finds a manifest whose containers are being deleted.
   *
   * References
   * ----------
   * A withdrawn checkpoint's containers stay while the manifest of another one leans on them. That
   * is found out anew each time, after all manifests that go are gone. Among several writers one
   * may publish a manifest meanwhile. It looks afterwards whether its base still has a manifest,
   * and this class lists again after it withdrew: so one of the two notices the other. It lists
   * until no directory appears, since a new checkpoint may replace the one whose manifest named the
   * same containers. A checkpoint whose manifest cannot be read now leans on all older ones, if its
   * containers show that it leans on any.
   *
   * Doubt
   * -----
   * An unreadable manifest, or one whose container is missing, is deleted only when the wanted
   * number of checkpoints is kept, and only if no other rule keeps older ones. It might be the
   * best: a read may fail for a moment, and a repair exchanges its container. Until then sealed
   * ones of other lines stay, too, since a training may have begun afresh by mistake. These are the
   * newest, up to one more than that number in all. If another rule keeps older ones, all of them stay.
   */

  private final CheckpointStore store;
  private final boolean amongWriters;
  private final boolean ended;
  private final KnownManifests known = new KnownManifests();

  /** Applies retention to this store, in turn with the commits of the same group. */
  public Retention(CheckpointStore store) {
    this(store, false, false);
  }

  private Retention(CheckpointStore store, boolean amongWriters, boolean ended) {
    this.store = store;
    this.amongWriters = amongWriters;
    this.ended = ended;
  }

  /**
   * Applies retention to a store in which others may publish manifests at the same time that lean
   * on older checkpoints.
   */
  public static Retention amongWriters(CheckpointStore store) {
    return new Retention(store, true, false);
  }

  /**
   * Applies retention to groups whose trainings have ended, as somebody knows from elsewhere. A
   * newer epoch that sealed nothing then holds nothing back.
   */
  public static Retention ofEnded(CheckpointStore store) {
    return new Retention(store, true, true);
  }

  /**
   * Reads all manifests anew from now on: the group may have been deleted, and have begun again.
   */
  public void forget() {
    known.forget();
  }

  /**
   * The result of a call.
   *
   * @param kept the kept checkpoints, newest first; empty if the current epoch has nothing sealed
   *     here or is fenced
   * @param deleted checkpoints whose directories were deleted; not those that a kept one leans on
   * @param problems failed deletes, for people; the next call repeats them
   */
  public record Report(List<CheckpointId> kept, List<CheckpointId> deleted, List<String> problems) {
    /** Copies all three. */
    public Report {
      kept = List.copyOf(kept);
      deleted = List.copyOf(deleted);
      problems = List.copyOf(problems);
    }

    /**
     * Requires that no delete failed.
     *
     * @throws IOException naming the first one that did
     */
    public void requireDone() throws IOException {
      if (!problems.isEmpty()) {
        throw new IOException(problems.get(0));
      }
    }

    private static Report nothing() {
      return new Report(List.of(), List.of(), List.of());
    }
  }

  /**
   * Keeps the newest {@code keep} checkpoints that are alive and sealed here, and deletes older and
   * dead ones. Never deletes directories of newer epochs, nor unsealed ones of the current epoch,
   * which may be in progress.
   *
   * @param currentEpoch the epoch of the caller
   * @param keep at least 1
   * @throws IOException if the store cannot be listed; no container was deleted then
   */
  public Report apply(GroupId group, long currentEpoch, int keep) throws IOException {
    return apply(group, currentEpoch, RetentionPolicy.newest(keep));
  }

  /**
   * Like {@link #apply(GroupId, long, int)}, with what the policy keeps besides. Lists each
   * checkpoint, and reads the manifests that earlier calls have not read.
   */
  public Report apply(GroupId group, long currentEpoch, RetentionPolicy policy) throws IOException {
    return apply(group, currentEpoch, policy, Set.of());
  }

  /**
   * Like the other method.
   *
   * @param inUse checkpoints that are never deleted
   */
  public Report apply(
      GroupId group, long currentEpoch, RetentionPolicy policy, Set<CheckpointId> inUse)
      throws IOException {
    return apply(group, currentEpoch, policy, StoredCheckpoint::coversGroup, inUse);
  }

  /**
   * The deletes that a call would try.
   *
   * @param kept by a rule, newest first; empty if the current epoch has nothing sealed here or is
   *     fenced
   * @param doomed the bytes that each one to be deleted frees, oldest first; fewer than it has if
   *     others lean on some of its containers
   */
  public record Plan(
      Map<CheckpointId, Set<RetentionPolicy.Rule>> kept, SortedMap<CheckpointId, Long> doomed) {
    /** Copies both. */
    public Plan {
      kept = Collections.unmodifiableMap(new LinkedHashMap<>(kept));
      doomed = Collections.unmodifiableSortedMap(new TreeMap<>(doomed));
    }
  }

  /**
   * The deletes that {@link #apply(GroupId, long, RetentionPolicy, Set)} would try now. Deletes
   * nothing.
   *
   * @throws IOException if the store cannot be listed
   */
  public Plan plan(
      GroupId group, long currentEpoch, RetentionPolicy policy, Set<CheckpointId> inUse)
      throws IOException {
    Choice choice = choose(group, currentEpoch, policy, StoredCheckpoint::coversGroup, inUse);
    Leaned leaned = new Leaned(store, choice.listing(), choice.doomed());
    SortedMap<CheckpointId, Long> freed = new TreeMap<>();
    for (CheckpointId id : choice.doomed()) {
      freed.put(id, new Withdrawal(store).freed(id, leaned));
    }
    return new Plan(choice.kept(), freed);
  }

  /**
   * Whether {@link #apply(GroupId, long, int, Predicate, Set)} may find anything to delete. Costs
   * one listing of the group, and reads no manifest: while another level reads what this one holds,
   * each call would read them all.
   *
   * @param isSealed whether a checkpoint is known to be sealed here; asked for those of the current
   *     epoch
   */
  public boolean mayDelete(
      GroupId group,
      long currentEpoch,
      int keep,
      Predicate<CheckpointId> isSealed,
      Set<CheckpointId> inUse)
      throws IOException {
    int sealed = 0;
    List<CheckpointId> newestFirst = new ArrayList<>(Inventory.directories(store, group));
    Collections.reverse(newestFirst);
    for (CheckpointId id : newestFirst) {
      if (!inUse.contains(id) && (id.epoch() != currentEpoch || sealed >= keep)) {
        return true;
      }
      if (id.epoch() == currentEpoch && isSealed.test(id)) {
        sealed++;
      }
    }
    return false;
  }

  /**
   * Like {@link #apply(GroupId, long, int)}, for a store that need not hold all parts of a
   * manifest, such as NODE on one of several machines.
   *
   * @param isSealed whether every rank of the group holds its data at this level
   * @param inUse checkpoints that are never deleted
   */
  public Report apply(
      GroupId group,
      long currentEpoch,
      int keep,
      Predicate<StoredCheckpoint> isSealed,
      Set<CheckpointId> inUse)
      throws IOException {
    return apply(group, currentEpoch, RetentionPolicy.newest(keep), isSealed, inUse);
  }

  private Report apply(
      GroupId group,
      long currentEpoch,
      RetentionPolicy policy,
      Predicate<StoredCheckpoint> isSealed,
      Set<CheckpointId> inUse)
      throws IOException {
    Choice choice = choose(group, currentEpoch, policy, isSealed, inUse);
    return choice.kept().isEmpty()
        ? Report.nothing()
        : delete(
            choice.doomed(),
            List.copyOf(choice.kept().keySet()),
            of -> amongWriters ? listAgain(of) : choice.listing());
  }

  /** The checkpoints that go and those that stay; none of either if nothing may be deleted. */
  private record Choice(
      Listing listing,
      Map<CheckpointId, Set<RetentionPolicy.Rule>> kept,
      List<CheckpointId> doomed) {}

  private Choice choose(
      GroupId group,
      long currentEpoch,
      RetentionPolicy policy,
      Predicate<StoredCheckpoint> isSealed,
      Set<CheckpointId> inUse)
      throws IOException {
    Listing listing = Inventory.listOnce(store, group, known);
    Set<CheckpointId> sealed =
        listing.checkpoints().values().stream()
            .filter(isSealed)
            .map(StoredCheckpoint::id)
            .collect(Collectors.toSet());
    List<CheckpointId> alive = listing.alive(isSealed).stream().map(StoredCheckpoint::id).toList();
    if (alive.isEmpty()
        || sealed.stream().noneMatch(id -> id.epoch() == currentEpoch)
        || newestEpoch(group, listing) > currentEpoch) {
      return new Choice(listing, Map.of(), List.of());
    }
    int keep = policy.newest();
    List<CheckpointId> newest = alive.subList(0, Math.min(keep, alive.size()));
    Map<CheckpointId, Set<RetentionPolicy.Rule>> rules =
        policy.rules(alive, facts(listing, alive, policy));
    Set<CheckpointId> kept = rules.keySet();
    List<CheckpointId> doomed =
        doomed(listing, spared(sealed, newest, policy), newest, currentEpoch, policy).stream()
            .filter(id -> !inUse.contains(id) && !kept.contains(id))
            .toList();
    return new Choice(listing, rules, doomed);
  }

  /** The facts that the policy asks for. */
  private static Map<CheckpointId, CheckpointFacts> facts(
      Listing listing, List<CheckpointId> alive, RetentionPolicy policy) {
    return policy.keepsNewestAlone()
        ? Map.of()
        : alive.stream().collect(Collectors.toMap(id -> id, id -> facts(listing, id)));
  }

  private static CheckpointFacts facts(Listing listing, CheckpointId id) {
    StoredCheckpoint stored = listing.checkpoints().get(id);
    return stored == null ? CheckpointFacts.NONE : stored.facts();
  }

  /**
   * Deletes a checkpoint that its group gave up, except the containers that others lean on. One of
   * which nothing was written costs one listing of its own directory. Otherwise the whole group is
   * listed.
   *
   * @throws IOException if something of it may still be there that nobody needs
   */
  public void drop(CheckpointId id) throws IOException {
    Withdrawal withdrawal = new Withdrawal(store);
    SortedMap<CheckpointId, Set<String>> withdrawn = withdrawal.withdraw(List.of(id));
    if (Set.of().equals(withdrawn.get(id))) {
      store.deleteDirectory(StoreNames.checkpoint(id));
    } else if (!withdrawn.isEmpty()) {
      Leaned leaned = new Leaned(store, listAgain(id.group()), withdrawn.keySet());
      withdrawal.delete(withdrawn, leaned);
    }
    if (!withdrawal.problems().isEmpty()) {
      throw new IOException(withdrawal.problems().get(0));
    }
  }

  /** The newest epoch with a trace here; 0 if none counts any more. */
  private long newestEpoch(GroupId group, Listing listing) throws IOException {
    if (ended) {
      return 0;
    }
    long newest = new EpochFiles(store).newest(group);
    for (CheckpointId id : listing.everything()) {
      boolean stray =
          id.epoch() - newest > CheckpointId.MOST_EPOCHS_AHEAD && listing.unfinished().contains(id);
      newest = stray ? newest : Math.max(newest, id.epoch());
    }
    return newest;
  }

  /** Those of other lines that are needed while this one has too few. */
  private static Set<CheckpointId> spared(
      Set<CheckpointId> sealed, List<CheckpointId> kept, RetentionPolicy policy) {
    int missing = policy.newest() - kept.size();
    return sealed.stream()
        .filter(id -> missing > 0 && !kept.contains(id))
        .sorted(Comparator.reverseOrder())
        .limit(policy.keepsNewestAlone() ? missing + 1L : sealed.size())
        .collect(Collectors.toSet());
  }

  private static List<CheckpointId> doomed(
      Listing listing,
      Set<CheckpointId> spared,
      List<CheckpointId> kept,
      long currentEpoch,
      RetentionPolicy policy) {
    CheckpointId oldestKept = kept.get(kept.size() - 1);
    Set<CheckpointId> doubtful =
        listing.problems().stream().map(Inventory.Problem::id).collect(Collectors.toSet());
    List<CheckpointId> doomed = new ArrayList<>(listing.everything());
    doomed.removeAll(kept);
    doomed.removeIf(
        id -> {
          boolean past = id.epoch() < currentEpoch;
          boolean enough = kept.size() == policy.newest();
          boolean older = enough && id.compareTo(oldestKept) < 0;
          if (doubtful.contains(id)) {
            return !(past && older && policy.keepsNewestAlone());
          } else if (spared.contains(id)) {
            return true;
          }
          // each rank flushes in order, so an older one can no longer be sealed
          return !(past || older);
        });
    return doomed;
  }

  /**
   * Deletes checkpoints of one group, all manifests first, except the containers that others lean
   * on.
   *
   * @throws IOException if the group cannot be listed; no container was deleted then
   */
  public Report delete(Collection<CheckpointId> doomed) throws IOException {
    return delete(doomed, List.of(), this::listAgain);
  }

  /** The checkpoints of a group after some were withdrawn. */
  private interface Left {
    Listing of(GroupId group) throws IOException;
  }

  private Listing listAgain(GroupId group) throws IOException {
    return Inventory.listAppearing(store, group, known);
  }

  private Report delete(Collection<CheckpointId> doomed, List<CheckpointId> kept, Left left)
      throws IOException {
    Withdrawal withdrawal = new Withdrawal(store);
    SortedMap<CheckpointId, Set<String>> withdrawn = withdrawal.withdraw(doomed);
    if (withdrawn.isEmpty()) {
      return new Report(kept, List.of(), withdrawal.problems());
    }
    Leaned leaned = new Leaned(store, left.of(withdrawn.firstKey().group()), withdrawn.keySet());
    return new Report(kept, withdrawal.delete(withdrawn, leaned), withdrawal.problems());
  }
}

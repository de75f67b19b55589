package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.commit.RetentionPolicy;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Examination;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * The retention of one group by a policy of the user's: chosen with its reasons, and then carried
 * out. It keeps the newest checkpoint that can be restored, whatever the policy says. Not
 * thread-safe.
 */
final class Pruning {
  private final CheckpointStore store;
  private final GroupId group;
  private final RetentionPolicy policy;
  private final Inventory.Listing listing;
  private final Retention retention;
  private final long epoch;

  /** Why a training may need the group now; empty if nothing shows one. */
  private final Optional<String> held;

  /** The reasons of checkpoints that were read and are bad. */
  private final Map<CheckpointId, String> damaged = new HashMap<>();

  private Optional<CheckpointId> restorable = Optional.empty();

  /**
   * Lists a group.
   *
   * @param ended whether the user knows that its training has ended
   */
  Pruning(CheckpointStore store, GroupId group, RetentionPolicy policy, boolean ended)
      throws IOException {
    this.store = store;
    this.group = group;
    this.policy = policy;
    this.listing = Inventory.list(store, group);
    this.epoch = newestSealedEpoch(listing).orElse(0);
    this.held = ended ? Optional.empty() : held();
    boolean over = ended || held.isPresent(); // then nothing is deleted, but shown
    this.retention = over ? Retention.ofEnded(store) : Retention.amongWriters(store);
  }

  private static OptionalLong newestSealedEpoch(Inventory.Listing listing) {
    return listing.checkpoints().values().stream()
        .filter(StoredCheckpoint::coversGroup)
        .mapToLong(each -> each.id().epoch())
        .max();
  }

  private Optional<String> held() throws IOException {
    EpochFiles epochs = new EpochFiles(store);
    long newest = epochs.newestTrace(group);
    if (new GroupMemory(store).end(group).filter(last -> last.epoch() == newest).isPresent()) {
      return Optional.empty();
    }
    String holder = epochs.holder(group, newest).orElse("unknown").replace("\n", " at ");
    if (LiveProcess.named(holder)) {
      return Optional.of("its training runs on this machine: " + holder);
    }
    return newest > epoch
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "epoch %d, by %s, has sealed nothing yet and may need any of them",
                newest,
                holder))
        : Optional.empty();
  }

  /** Why nothing may be deleted now; empty if nothing speaks against it. */
  Optional<String> refusal() {
    return held;
  }

  /** Whether there is a checkpoint that can be restored. */
  boolean isRestorable() {
    return restorable.isPresent();
  }

  /** Whether a checkpoint was found to be damaged. */
  boolean isDamaged() {
    return !damaged.isEmpty() || !listing.problems().isEmpty();
  }

  /** Bytes of the newest checkpoint, which is read first. */
  long newestBytes() {
    return alive().stream().findFirst().map(each -> each.bytes()).orElse(0L);
  }

  private List<StoredCheckpoint> alive() {
    return listing.alive(StoredCheckpoint::coversGroup);
  }

  /**
   * Finds the newest checkpoint that can be restored, by reading the newest ones until one is good.
   *
   * @param progress receives the bytes of each
   * @throws IOException if one cannot be read now, so that nothing is proven
   */
  void examine(LongConsumer progress) throws IOException {
    for (StoredCheckpoint each : alive()) {
      Optional<Examination.Defect> defect = defect(each);
      progress.accept(each.bytes());
      if (defect.isEmpty()) {
        restorable = Optional.of(each.id());
        return;
      }
      damaged.put(each.id(), defect.get().file() + ": " + defect.get().reason());
    }
  }

  private Optional<Examination.Defect> defect(StoredCheckpoint stored) throws IOException {
    StagingBuffer staging = new StagingBuffer();
    for (int rank : stored.ranks()) {
      Optional<Examination.Defect> defect =
          Examination.of(store, stored.id(), rank, stored.containersOf(rank), staging);
      if (defect.isPresent()) {
        return defect;
      }
    }
    return Optional.empty();
  }

  /** Every checkpoint of the group, oldest first, and what becomes of it. Deletes nothing. */
  List<Fate> fates() throws IOException {
    Set<CheckpointId> inUse = inUse();
    Retention.Plan plan = retention.plan(group, epoch, policy, inUse);
    SortedMap<CheckpointId, Long> doomed = isRestorable() ? plan.doomed() : new TreeMap<>();
    Map<CheckpointId, List<String>> leaners = leaners(doomed.keySet());
    List<Fate> fates = new ArrayList<>();
    for (CheckpointId id : listing.everything()) {
      List<String> reasons = new ArrayList<>();
      plan.kept()
          .getOrDefault(id, Set.of())
          .forEach(rule -> reasons.add(rule.name().toLowerCase(Locale.ROOT)));
      Long freed = doomed.get(id);
      reasons.addAll(reasons(id, freed != null, reasons.isEmpty()));
      if (leaners.containsKey(id)) {
        reasons.add("leaned on by " + String.join(", ", leaners.get(id)));
      }
      fates.add(new Fate(id.label(), freed == null, bytes(id), freed == null ? 0 : freed, reasons));
    }
    return fates;
  }

  private Set<CheckpointId> inUse() {
    return restorable.map(Set::of).orElse(Set.of());
  }

  private List<String> reasons(CheckpointId id, boolean goes, boolean byNoRule) {
    List<String> reasons = new ArrayList<>();
    if (restorable.equals(Optional.of(id))) {
      reasons.add("the newest that can be restored");
    }
    String damage = damaged.get(id);
    if (damage != null) {
      reasons.add("damaged: " + damage);
    }
    listing.problems().stream()
        .filter(each -> each.id().equals(id))
        .forEach(each -> reasons.add("does not count: " + each.reason()));
    if (reasons.isEmpty() && byNoRule) {
      reasons.add(state(id, goes));
    }
    return reasons;
  }

  private String state(CheckpointId id, boolean goes) {
    if (listing.leaned().contains(id)) {
      return "has no manifest";
    } else if (listing.unfinished().contains(id)) {
      return goes ? "unfinished" : "unfinished, may be in progress";
    }
    boolean counts = alive().stream().anyMatch(each -> each.id().equals(id));
    return goes ? counts ? "kept by no rule" : "dead" : "in doubt";
  }

  /** The checkpoints that stay and lean on each one. */
  private Map<CheckpointId, List<String>> leaners(Set<CheckpointId> doomed) {
    Map<CheckpointId, List<String>> leaners = new HashMap<>();
    listing
        .manifests()
        .filter(manifest -> !doomed.contains(manifest.id()))
        .forEach(
            manifest ->
                manifest
                    .leansOn()
                    .forEach(
                        id ->
                            leaners
                                .computeIfAbsent(id, each -> new ArrayList<>())
                                .add(manifest.id().label())));
    return leaners;
  }

  private long bytes(CheckpointId id) throws IOException {
    return store.list(StoreNames.checkpoint(id)).stream().mapToLong(StoreEntry::bytes).sum();
  }

  /**
   * Deletes what {@link #fates} has shown: manifests first, then the containers that nobody needs.
   *
   * @return what became of each
   * @throws IllegalStateException if something speaks against it
   */
  Deleted delete(List<Fate> shown) {
    if (held.isPresent() || !isRestorable()) {
      throw new IllegalStateException(group + " may not be pruned: " + held.orElse("no copy"));
    }
    List<String> problems = problemsOfDelete();
    return new Deleted(shown.stream().map(this::after).toList(), problems);
  }

  private List<String> problemsOfDelete() {
    try {
      Retention.Report report = retention.apply(group, epoch, policy, inUse());
      return report.kept().isEmpty()
          ? List.of("anything of " + group + ", since a training has begun to use it meanwhile")
          : report.problems();
    } catch (IOException e) {
      return List.of(group + ": " + e.getMessage());
    }
  }

  /** The fate of a checkpoint by what the store still has of it. It is gone without a manifest. */
  private Fate after(Fate shown) {
    if (shown.stays()) {
      return shown;
    }
    long freed = 0;
    boolean gone = false;
    try {
      List<StoreEntry> left = store.list(StoreNames.checkpoint(id(shown)));
      freed = shown.bytes() - left.stream().mapToLong(StoreEntry::bytes).sum();
      gone =
          (freed > 0 || shown.freed() == 0)
              && left.stream().noneMatch(entry -> StoreNames.isManifest(entry.name()));
    } catch (IOException e) {
      // what cannot be listed was not deleted, as far as anybody knows
    }
    List<String> reasons = gone ? shown.reasons() : List.of("could not be deleted");
    return new Fate(shown.checkpoint(), !gone, shown.bytes(), freed, reasons);
  }

  private CheckpointId id(Fate fate) {
    return listing.everything().stream()
        .filter(id -> id.label().equals(fate.checkpoint()))
        .findFirst()
        .orElseThrow();
  }

  /**
   * The end of a {@link #delete}.
   *
   * @param fates of every checkpoint; one that could not be deleted stays
   * @param problems deletes that failed, or that would not be right any more, for people
   */
  record Deleted(List<Fate> fates, List<String> problems) {}

  /**
   * The fate of one checkpoint.
   *
   * @param bytes of all its files
   * @param freed bytes that its deletion frees, or has freed; fewer if others lean on its files
   * @param reasons why it stays, or goes
   */
  record Fate(String checkpoint, boolean stays, long bytes, long freed, List<String> reasons) {
    String reason() {
      return reasons.stream().collect(Collectors.joining("; "));
    }
  }
}

package io.cairn.cli;

import io.cairn.Certificate;
import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.RegionEntries;
import io.cairn.core.protocol.Lineage;
import io.cairn.flush.commit.Certificates;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Quarantine;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entry of one group in {@code cairn list}.
 *
 * @param store where it is: at NODE, each birth of a group has a store of its own
 * @param epochs every one that was taken, rising
 * @param checkpoints that have a manifest, oldest first
 * @param ended whether the newest checkpoint is the last one of a training that ended in order; a
 *     later epoch that sealed nothing does not change that
 * @param unfinished directories without a manifest: left over, or being written
 * @param problems manifests that do not count
 * @param setAside files of copies that were bad, and that were replaced
 * @param lost the newest checkpoint that was sealed, if its manifest is gone; else empty
 */
record GroupListing(
    String job,
    String group,
    String store,
    List<Epoch> epochs,
    List<Checkpoint> checkpoints,
    boolean ended,
    List<String> unfinished,
    List<Problem> problems,
    List<String> setAside,
    String lost) {

  /** The taker of an epoch, or why it cannot be read, and the time (ISO 8601, UTC). */
  record Epoch(long epoch, String taken, String by) {}

  /**
   * One checkpoint.
   *
   * @param ranks whose data is here
   * @param size ranks of the group
   * @param score that the training gave it; null if it gave none
   * @param sealed when its manifest was written at STORE (ISO 8601, UTC); empty if it does not say
   * @param certified where the replay of its certificate began, such as {@code from e1-i50}, or
   *     {@code from the start}; empty if it has none; else why it cannot be read
   * @param lossy regions whose numbers were rounded, each with element and bound
   */
  record Checkpoint(
      long epoch,
      long iteration,
      State state,
      int ranks,
      int size,
      long bytes,
      String manifest,
      @Nullable Double score,
      String sealed,
      String certified,
      List<String> lossy) {}

  /** Whether a checkpoint counts. */
  enum State {
    /** On the group's line: a restore may use it. */
    ALIVE,
    /** Written by an attempt that the group's line does not continue. */
    DEAD,
    /** On the line, but of some ranks there is nothing here. */
    INCOMPLETE
  }

  /** A manifest that does not count, and why. */
  record Problem(String checkpoint, String path, String reason) {}

  /** Reads manifests and epoch files, no containers. */
  static GroupListing of(CheckpointStore store, GroupId group) throws IOException {
    Inventory.Listing listing = Inventory.list(store, group);
    return new GroupListing(
        group.job(),
        group.group(),
        store.describe(),
        epochs(store, group),
        checkpoints(store, listing.checkpoints()),
        ended(store, listing.checkpoints()),
        listing.unfinished().stream().map(CheckpointId::label).toList(),
        listing.problems().stream()
            .map(each -> new Problem(each.id().label(), each.path(), each.reason()))
            .toList(),
        new Quarantine(store).files(group),
        listing.lost().map(CheckpointId::label).orElse(""));
  }

  private static List<Epoch> epochs(CheckpointStore store, GroupId group) throws IOException {
    EpochFiles files = new EpochFiles(store);
    List<Epoch> epochs = new ArrayList<>();
    for (StoreEntry entry : store.list(StoreNames.epochs(group))) {
      OptionalLong epoch = StoreNames.parseEpoch(entry.name());
      if (epoch.isPresent()) {
        epochs.add(epoch(files, group, epoch.getAsLong()));
      }
    }
    return epochs;
  }

  /** An epoch counts whether its file can be read or not; a dead writer may have left it open. */
  private static Epoch epoch(EpochFiles files, GroupId group, long epoch) {
    try {
      List<String> lines = files.holder(group, epoch).orElse("").lines().toList();
      String by = lines.isEmpty() ? "" : lines.get(0);
      return new Epoch(epoch, lines.size() < 2 ? "" : lines.get(1), by);
    } catch (IOException e) {
      return new Epoch(epoch, "", "cannot be read: " + e.getMessage());
    }
  }

  private static boolean ended(
      CheckpointStore store, SortedMap<CheckpointId, StoredCheckpoint> stored) throws IOException {
    return !stored.isEmpty() && new GroupMemory(store).hasEnded(stored.lastKey());
  }

  private static List<Checkpoint> checkpoints(
      CheckpointStore store, SortedMap<CheckpointId, StoredCheckpoint> stored) {
    Map<CheckpointId, Ancestry> manifests = new TreeMap<>();
    stored.forEach((id, checkpoint) -> manifests.put(id, checkpoint.ancestry()));
    List<CheckpointId> alive = Lineage.alive(manifests);
    return stored.values().stream().map(each -> view(store, each, alive)).toList();
  }

  private static Checkpoint view(
      CheckpointStore store, StoredCheckpoint stored, List<CheckpointId> alive) {
    CheckpointId id = stored.id();
    State state = stored.coversGroup() ? State.ALIVE : State.INCOMPLETE;
    if (!alive.contains(id)) {
      state = State.DEAD;
    }
    CheckpointFacts facts = stored.facts();
    return new Checkpoint(
        id.epoch(),
        id.iteration(),
        state,
        stored.ranks().size(),
        stored.size(),
        stored.bytes(),
        stored.digest().hex(),
        facts.score().isPresent() ? facts.score().getAsDouble() : null,
        facts.sealed().map(Instant::toString).orElse(""),
        certified(store, stored),
        lossy(stored));
  }

  /** A certificate that cannot be read hides nothing else. */
  private static String certified(CheckpointStore store, StoredCheckpoint stored) {
    try {
      return new Certificates(store)
          .read(stored.id())
          .map(certificate -> certified(certificate, stored.digest()))
          .orElse("");
    } catch (IOException e) {
      return "cannot be read: " + e.getMessage();
    }
  }

  private static String certified(Certificate certificate, Digest manifest) {
    return certificate.manifest().equals(manifest)
        ? certificate
            .predecessor()
            .map(from -> "from " + from.id().label())
            .orElse("from the start")
        : "of another manifest";
  }

  private static List<String> lossy(StoredCheckpoint stored) {
    return stored.parts().stream()
        .flatMap(part -> part.containers().stream())
        .flatMap(container -> RegionEntries.lossyTexts(container.fingerprint()).stream())
        .distinct()
        .sorted()
        .toList();
  }
}

package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.cadence.AdaptiveCadence;
import io.cairn.core.cadence.AdaptiveSettings;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.Learned;
import io.cairn.core.goodput.Cause;
import io.cairn.core.goodput.CauseTimes;
import io.cairn.core.goodput.GoodputEntries;
import io.cairn.core.goodput.GoodputRecord;
import io.cairn.core.goodput.LearnedEntries;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entry of one group in {@code cairn goodput}. Times are those of all ranks together.
 *
 * @param store where it is: at NODE, each birth of a group has a store of its own
 * @param ranks with an account
 * @param until the newest account, ISO 8601, UTC
 * @param all the times of all epochs
 * @param epochs rising; that of number 0 sums up older ones
 * @param predictedWaste of the cadence by its measurements; null if it measured nothing
 */
record GroupGoodput(
    String job,
    String group,
    String store,
    int ranks,
    String until,
    boolean ended,
    Times all,
    List<Epoch> epochs,
    @Nullable Double predictedWaste) {

  /**
   * Times by cause.
   *
   * @param ettr the part that counts
   * @param causes seconds, by name, of every cause
   */
  record Times(double seconds, double ettr, Map<String, Double> causes) {
    private static final double NANOS = 1e9;

    static Times of(CauseTimes times) {
      Map<String, Double> causes = new LinkedHashMap<>();
      for (Cause cause : Cause.values()) {
        causes.put(cause.label(), times.of(cause) / NANOS);
      }
      double total = times.total() / NANOS;
      return new Times(total, total == 0 ? 0 : times.ettr(), causes);
    }
  }

  /** The times of one epoch. */
  record Epoch(long epoch, Times times) {}

  /** Reads the manifests of a group; empty if none has an account. */
  static Optional<GroupGoodput> of(CheckpointStore store, GroupId group) throws IOException {
    SortedMap<CheckpointId, StoredCheckpoint> stored = Inventory.list(store, group).checkpoints();
    Map<Integer, GoodputRecord> newest = new TreeMap<>();
    for (StoredCheckpoint checkpoint : stored.values()) {
      for (int rank : checkpoint.ranks()) {
        GoodputEntries.in(program(checkpoint, rank))
            .ifPresent(record -> newest.merge(rank, record, GroupGoodput::newer));
      }
    }
    return newest.isEmpty()
        ? Optional.empty()
        : Optional.of(of(store.describe(), group, newest.values(), learned(store, stored)));
  }

  private static Fingerprint program(StoredCheckpoint checkpoint, int rank) {
    return ContainerSummary.program(checkpoint.containersOf(rank));
  }

  private static GoodputRecord newer(GoodputRecord one, GoodputRecord other) {
    return one.asOfMillis() > other.asOfMillis() ? one : other;
  }

  /**
   * Those in a manifest are newer than the file beside it, which the coordinator of ranks wrote.
   */
  private static Optional<Learned> learned(
      CheckpointStore store, SortedMap<CheckpointId, StoredCheckpoint> stored) throws IOException {
    CheckpointId newest = stored.lastKey();
    StoredCheckpoint checkpoint = stored.get(newest);
    Optional<Learned> inManifest =
        checkpoint == null ? Optional.empty() : LearnedEntries.in(program(checkpoint, 0));
    return inManifest.isPresent() ? inManifest : new GroupMemory(store).learned(newest);
  }

  private static GroupGoodput of(
      String store, GroupId group, Collection<GoodputRecord> ranks, Optional<Learned> learned) {
    SortedMap<Long, CauseTimes> epochs = new TreeMap<>();
    for (GoodputRecord rank : ranks) {
      rank.epochs().forEach((epoch, times) -> epochs.merge(epoch, times, CauseTimes::plus));
    }
    List<Epoch> rows = new ArrayList<>();
    epochs.forEach((epoch, times) -> rows.add(new Epoch(epoch, Times.of(times))));
    CauseTimes all = epochs.values().stream().reduce(CauseTimes.NONE, CauseTimes::plus);
    long until = ranks.stream().mapToLong(GoodputRecord::asOfMillis).max().orElse(0);
    return new GroupGoodput(
        group.job(),
        group.group(),
        store,
        ranks.size(),
        Instant.ofEpochMilli(until).toString(),
        ranks.stream().allMatch(GoodputRecord::ended),
        Times.of(all),
        rows,
        learned.map(GroupGoodput::predicted).filter(waste -> !waste.isNaN()).orElse(null));
  }

  /** As the cadence would, with the default times between failures before any was seen. */
  private static double predicted(Learned learned) {
    CadencePlan plan = new CadencePlan(0, 0, learned.periods());
    AdaptiveCadence cadence =
        new AdaptiveCadence(AdaptiveSettings.defaults(learned.periods().keySet()), plan);
    cadence.begin(learned);
    cadence.adopted(plan);
    return cadence.report().predicted();
  }
}

package io.cairn.models;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.dl4j.SavedRegions;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.restore.PartialCopy;
import io.cairn.flush.restore.Plan;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * One rank's data of a checkpoint in a store, read without joining its group: a training that runs
 * is not disturbed. Not thread-safe.
 */
final class StoredRank implements SavedRegions, Closeable {
  private final CheckpointId id;
  private final PartialCopy copy;
  private final StagingBuffer staging = new StagingBuffer();

  private StoredRank(CheckpointId id, PartialCopy copy) {
    this.id = id;
    this.copy = copy;
  }

  /**
   * Opens a rank's data.
   *
   * @param label such as {@code e1-i30}; empty for the newest, which a restore would take
   * @throws IOException naming what there is instead, if there is no such checkpoint, or its data
   *     cannot be read
   */
  static StoredRank open(CheckpointStore store, GroupId group, int rank, Optional<String> label)
      throws IOException {
    CheckpointStore life = life(store, group);
    SortedMap<CheckpointId, StoredCheckpoint> stored = Inventory.list(life, group).checkpoints();
    RestorePlanner planner = new RestorePlanner(List.of(new StoreCopies(life, Level.STORE)));
    CheckpointId id =
        label.isPresent() ? named(stored, label.get(), life) : newest(stored, planner, rank, life);
    PartialCopy copy = planner.partialCopy(id, rank);
    if (!copy.usable()) {
      copy.close();
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: rank %d of %s cannot be read: %s. Name another checkpoint: %s",
              life.describe(),
              rank,
              id,
              copy.attempts(false),
              labels(stored)));
    }
    return new StoredRank(id, copy);
  }

  /** A node's directory has a store for each birth of a group. */
  private static CheckpointStore life(CheckpointStore store, GroupId group) throws IOException {
    List<CheckpointStore> lives = GroupBirth.lives(store, group);
    if (lives.size() > 1) {
      throw new IllegalArgumentException(
          "%s has several lives of %s; name the store of one: %s"
              .formatted(
                  store.describe(), group, lives.stream().map(CheckpointStore::describe).toList()));
    }
    return lives.isEmpty() ? store : lives.get(0);
  }

  private static CheckpointId named(
      SortedMap<CheckpointId, StoredCheckpoint> stored, String label, CheckpointStore in) {
    return stored.keySet().stream()
        .filter(id -> id.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s has no checkpoint '%s'; it has %s"
                        .formatted(in.describe(), label, labels(stored))));
  }

  private static CheckpointId newest(
      SortedMap<CheckpointId, StoredCheckpoint> stored,
      RestorePlanner planner,
      int rank,
      CheckpointStore in)
      throws IOException {
    if (stored.isEmpty()) {
      throw new IOException(in.describe() + " has no checkpoint of this group that can be read");
    }
    CheckpointId last = stored.lastKey();
    int size = Objects.requireNonNull(stored.get(last)).size();
    Plan plan = planner.candidates(new Member(last.group(), rank, Math.max(size, rank + 1)));
    Optional<Plan.Unreachable> newer =
        plan.unreachable().stream().filter(Plan.Unreachable::mayBeNewest).findFirst();
    if (newer.isPresent()) {
      throw new IOException(
          "%s cannot be read now, and may be the newest: try again, or name another one: %s"
              .formatted(newer.get(), labels(stored)));
    }
    if (plan.choices().isEmpty()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: no restore would take a checkpoint of rank %d. Refused: %s. Name one: %s",
              in.describe(),
              rank,
              plan.refused(),
              labels(stored)));
    }
    return plan.choices().get(0).id();
  }

  private static String labels(SortedMap<CheckpointId, StoredCheckpoint> stored) {
    return stored.keySet().stream().map(CheckpointId::label).collect(Collectors.joining(", "));
  }

  /** The checkpoint. */
  CheckpointId id() {
    return id;
  }

  @Override
  public long bytes(String region) {
    int index = index(region);
    return index < 0 ? -1 : copy.images().get(index).bytes();
  }

  private int index(String region) {
    return copy.images().stream().map(RegionImage::name).toList().indexOf(region);
  }

  @Override
  public void read(String region, Sink into) throws IOException {
    int index = index(region);
    if (index < 0) {
      throw new IOException(id + " has no region " + region);
    }
    RegionImage image = copy.images().get(index);
    ByteBuffer buffer = staging.forChunksOf(copy.images());
    for (int chunk = 0; chunk < image.chunks(); chunk++) {
      buffer.clear();
      read(index, chunk, buffer);
      into.take(buffer.flip());
    }
  }

  private void read(int region, int chunk, ByteBuffer into) throws IOException {
    try {
      copy.reader().read(region, chunk, into);
    } catch (IOException e) {
      throw new IOException(
          "%s. Tried: %s. Name another checkpoint by --checkpoint"
              .formatted(e.getMessage(), copy.attempts(false)),
          e);
    }
  }

  @Override
  public void close() throws IOException {
    copy.close();
  }
}

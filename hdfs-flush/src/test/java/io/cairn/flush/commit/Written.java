package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Checkpoints of one group with made-up content, and whether they can be read again. */
public final class Written {
  /** The group. */
  public static final GroupId GROUP = new GroupId("job", "group");

  private static final AtomicLong NONCES = new AtomicLong();

  private Written() {}

  /** An id of the group. */
  public static CheckpointId id(long epoch, long iteration) {
    return new CheckpointId(GROUP, epoch, iteration);
  }

  /** A rank's data of a checkpoint. */
  public static SampleRank sample(CheckpointId id, int rank) {
    return SampleRank.small(rank, id.epoch() * 1_000_003 + id.iteration() * 31 + rank);
  }

  /** Writes the container of one rank. */
  public static ContainerSummary container(
      CheckpointStore store, CheckpointId id, int rank, int size) throws IOException {
    return new ContainerWriter(64).write(store, id, size, List.of(sample(id, rank).chunks()));
  }

  /** A manifest over these containers, with a nonce of its own. */
  public static CheckpointManifest manifest(
      CheckpointId id, int size, Ancestry ancestry, List<ContainerSummary> containers) {
    return new CheckpointManifest(
        id, size, Optional.empty(), ancestry, "n" + NONCES.incrementAndGet(), containers);
  }

  /** Writes and commits a checkpoint with one container per rank. */
  public static void sealed(CheckpointStore store, CheckpointId id, int size, Ancestry ancestry)
      throws IOException {
    List<ContainerSummary> containers = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      containers.add(container(store, id, rank, size));
    }
    commit(store, manifest(id, size, ancestry, containers), StoreNames.MANIFEST);
  }

  /** Writes and commits one rank's part. */
  public static void part(
      CheckpointStore store, CheckpointId id, int rank, int size, Ancestry ancestry)
      throws IOException {
    List<ContainerSummary> containers = List.of(container(store, id, rank, size));
    commit(store, manifest(id, size, ancestry, containers), StoreNames.manifestPart(rank));
  }

  private static void commit(CheckpointStore store, CheckpointManifest manifest, String name)
      throws IOException {
    var outcome = new ManifestCommit(store).commit(manifest, name);
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new IOException(manifest.id() + ": " + outcome);
    }
  }

  /** Opens every rank's container and verifies every chunk. */
  public static void requireReadable(CheckpointStore store, StoredCheckpoint stored)
      throws IOException {
    for (int rank : stored.ranks()) {
      ContainerSummary container = stored.containersOf(rank).get(0);
      try (ContainerReader reader = ContainerReader.open(store, stored.id(), container)) {
        reader.verify(rank, ByteBuffer.allocate(64));
        if (!reader.images(rank).equals(sample(stored.id(), rank).images())) {
          throw new IOException(stored.id() + " has other images");
        }
      }
    }
  }
}

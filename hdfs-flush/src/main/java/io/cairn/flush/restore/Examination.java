package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Reads all of one rank's copy in a store, and tells damage from failures that may pass. Stateless.
 */
public final class Examination {
  private Examination() {}

  /**
   * Proof that a copy is bad: it is truncated, damaged or in part missing.
   *
   * @param file the bad file, or the missing one
   * @param reason for people
   */
  public record Defect(String file, String reason) {}

  /**
   * Reads a rank's copy, as the manifest in the store describes it.
   *
   * @param staging overwritten
   * @return empty if the copy is good, or there is none
   * @throws IOException if a read failed otherwise, so that nothing is proven
   */
  public static Optional<Defect> of(
      CheckpointStore store, CheckpointId id, int rank, StagingBuffer staging) throws IOException {
    try {
      Optional<StoredCheckpoint> stored = Inventory.find(store, id, rank);
      return stored.isEmpty()
          ? Optional.empty()
          : of(store, id, rank, stored.get().containersOf(rank), staging);
    } catch (IOException e) {
      return Optional.of(defect(e));
    }
  }

  /**
   * Reads these containers, which have to hold all of a rank's data together.
   *
   * @param expected the manifest's entries, at least one
   * @return empty if they are good
   * @throws IOException as the other method does
   */
  public static Optional<Defect> of(
      CheckpointStore store,
      CheckpointId id,
      int rank,
      List<ContainerSummary> expected,
      StagingBuffer staging)
      throws IOException {
    try {
      RankReader.open(store, id, rank, expected).close();
      for (ContainerSummary container : expected) {
        try (ContainerReader reader = ContainerReader.open(store, id, container)) {
          var unused = reader.verify(rank, staging.forChunksOf(reader.images(rank)));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(defect(e));
    }
  }

  /** Throws a failure that proves nothing. */
  private static Defect defect(IOException failure) throws IOException {
    if (!CopyHealth.isDamage(failure)) {
      throw failure;
    }
    return failure instanceof FormatException format
        ? new Defect(format.file(), format.reason())
        : new Defect(String.valueOf(failure.getMessage()), failure.getClass().getSimpleName());
  }
}

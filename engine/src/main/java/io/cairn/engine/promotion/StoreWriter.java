package io.cairn.engine.promotion;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.Optional;

/**
 * STORE: one container per rank. The group's coordinator commits the manifest that names all of
 * them, and retains.
 */
public final class StoreWriter implements LevelWriter {
  private final CheckpointStore store;
  private final int threads;

  /** One per thread of the stage, which lives as long as this writer. */
  private final ThreadLocal<ContainerWriter> writers;

  /**
   * Writes to this store, which stays the caller's to close.
   *
   * @param threads that write at once
   */
  public StoreWriter(CheckpointStore store, int chunkBytes, int threads) {
    this.store = store;
    this.threads = threads;
    this.writers = ThreadLocal.withInitial(() -> new ContainerWriter(chunkBytes));
  }

  @Override
  public int threads() {
    return threads;
  }

  @Override
  public CopySource copies() {
    return copies(Optional.empty());
  }

  @Override
  public CopySource copies(Optional<RankSurvey> atStore) {
    return new StoreCopies(store, Level.STORE, atStore);
  }

  @Override
  public Optional<ContainerSummary> write(Promoted checkpoint, Copy source) throws IOException {
    return Optional.of(
        writers
            .get()
            .write(store, checkpoint.member(), checkpoint.id(), source.images(), source.reader())
            .writtenBy(checkpoint.program()));
  }
}

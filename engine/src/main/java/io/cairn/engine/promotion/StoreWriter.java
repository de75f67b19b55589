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
  private final ContainerWriter writer;

  /** Writes to this store, which stays the caller's to close. */
  public StoreWriter(CheckpointStore store, int chunkBytes) {
    this.store = store;
    this.writer = new ContainerWriter(chunkBytes);
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
        writer
            .write(store, checkpoint.member(), checkpoint.id(), source.images(), source.reader())
            .writtenBy(checkpoint.program()));
  }
}

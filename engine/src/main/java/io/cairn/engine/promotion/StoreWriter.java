package io.cairn.engine.promotion;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.events.CairnEvent;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * STORE: one container per rank. The group's coordinator commits the manifest that names all of
 * them, and retains.
 */
public final class StoreWriter implements LevelWriter {
  private final CheckpointStore store;
  private final ContainerWriter writer;
  private final Consumer<? super CairnEvent> events;

  /**
   * Writes to a store.
   *
   * @param store stays the caller's to close
   * @param writer of the containers; used by this only
   * @param events receives {@link CairnEvent.Written}
   */
  public StoreWriter(
      CheckpointStore store, ContainerWriter writer, Consumer<? super CairnEvent> events) {
    this.store = store;
    this.writer = writer;
    this.events = events;
  }

  /** Like the other, without compression and events. */
  public StoreWriter(CheckpointStore store, int chunkBytes) {
    this(store, new ContainerWriter(chunkBytes), event -> {});
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
    ContainerSummary written =
        writer.write(store, checkpoint.member(), checkpoint.id(), source.images(), source.reader());
    events.accept(
        new CairnEvent.Written(checkpoint.id(), Level.STORE, checkpoint.bytes(), written.bytes()));
    return Optional.of(written.writtenBy(checkpoint.program()));
  }
}

package io.cairn.engine.promotion;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.core.session.Outcome;
import io.cairn.engine.events.CairnEvent;
import io.cairn.flush.format.Base;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.Layout;
import io.cairn.flush.format.RankChunks;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * STORE: one container per rank. The group's coordinator commits the manifest that names all of
 * them, and retains.
 */
public final class StoreWriter implements LevelWriter {
  private final CheckpointStore store;
  private final int threads;
  private final Bases bases;
  private final Consumer<? super CairnEvent> events;

  /** One per thread of the stage, which lives as long as this writer. */
  private final ThreadLocal<ContainerWriter> writers;

  /**
   * Writes to a store.
   *
   * @param store stays the caller's to close
   * @param writer makes the writer of a thread
   * @param threads that write at once
   * @param maxLayers containers that one leans on at most; 0 writes every checkpoint whole
   * @param events receives {@link CairnEvent.Written}
   */
  public StoreWriter(
      CheckpointStore store,
      Supplier<ContainerWriter> writer,
      int threads,
      int maxLayers,
      Consumer<? super CairnEvent> events) {
    this.store = store;
    this.threads = threads;
    this.bases = new Bases(maxLayers);
    this.writers = ThreadLocal.withInitial(writer);
    this.events = events;
  }

  /** Like the other, without compression and events; every checkpoint is whole. */
  public StoreWriter(CheckpointStore store, int chunkBytes, int threads) {
    this(store, () -> new ContainerWriter(chunkBytes), threads, 0, event -> {});
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
    ContainerSummary written = writeContainer(checkpoint, source);
    events.accept(
        new CairnEvent.Written(checkpoint.id(), Level.STORE, checkpoint.bytes(), written.bytes()));
    return Optional.of(written.writtenBy(checkpoint.program()));
  }

  private ContainerSummary writeContainer(Promoted checkpoint, Copy source) throws IOException {
    ContainerWriter writer = writers.get();
    Member member = checkpoint.member();
    CheckpointId id = checkpoint.id();
    RankChunks chunks = checkpoint.chunksOf(source);
    if (!bases.isOn()) {
      return writer.write(store, id, member.size(), List.of(chunks));
    }
    String name = Layout.container(member.rank());
    Base written =
        writer.write(store, id, member.size(), chunks, name, bases.of(id, member.rank()));
    bases.written(member.rank(), written);
    return written.container();
  }

  @Override
  public void settled(CheckpointId id, int rank, Outcome outcome) {
    bases.settled(id, rank, outcome);
  }

  @Override
  public void left(GroupId group) {
    bases.left(group);
  }
}

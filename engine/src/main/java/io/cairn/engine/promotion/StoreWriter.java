package io.cairn.engine.promotion;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.flush.format.Base;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.Leaning;
import io.cairn.flush.format.PartsWriter;
import io.cairn.flush.format.RankChunks;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongToIntFunction;
import java.util.function.Supplier;

/**
 * STORE: one container per rank, or several parts that are written at once. The group's coordinator
 * commits the manifest that names all of them, and retains.
 */
public final class StoreWriter implements LevelWriter {
  private final Level level;
  private final CheckpointStore store;
  private final LongToIntFunction parts;
  private final Bases bases;
  private final Consumer<? super CairnEvent> events;

  /** One per thread of the stage, which lives as long as this writer. */
  private final ThreadLocal<PartsWriter> writers;

  /**
   * Writes to a store.
   *
   * @param level that the store is
   * @param store stays the caller's to close
   * @param writer makes the writer of one container
   * @param parts of a rank's checkpoint, by the bytes of its state
   * @param maxLayers containers that one leans on at most; 0 writes every checkpoint whole
   * @param events receives {@link CairnEvent.Written}
   */
  public StoreWriter(
      Level level,
      CheckpointStore store,
      Supplier<ContainerWriter> writer,
      LongToIntFunction parts,
      int maxLayers,
      Consumer<? super CairnEvent> events) {
    this.level = level;
    this.store = store;
    this.parts = parts;
    this.bases = new Bases(maxLayers);
    this.writers = ThreadLocal.withInitial(() -> new PartsWriter(writer));
    this.events = events;
  }

  /** The level that the store is. */
  public Level level() {
    return level;
  }

  @Override
  public CopySource copies(Optional<RankSurvey> atStore) {
    return StoreCopies.ofBorn(store, atStore);
  }

  @Override
  public List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest) throws IOException {
    List<ContainerSummary> written;
    boolean again = checkpoint.reporter().writesAgain(level);
    try (OpenCopies source = nearest.open(again ? 1 : partsOf(checkpoint))) {
      written = new ArrayList<>(writeContainers(checkpoint, source, again));
    }
    long bytes = written.stream().mapToLong(ContainerSummary::bytes).sum();
    events.accept(new CairnEvent.Written(checkpoint.id(), level, checkpoint.bytes(), bytes));
    // one of them suffices, as for containers of other holders
    written.set(0, written.get(0).writtenBy(checkpoint.described()));
    return written;
  }

  /** No part is without chunks, apart from that of a rank without any. */
  private int partsOf(Promoted checkpoint) {
    int chunks = new ChunkNumbers(checkpoint.source().images()).all();
    return Math.max(1, Math.min(chunks, parts.applyAsInt(checkpoint.bytes())));
  }

  private List<ContainerSummary> writeContainers(
      Promoted checkpoint, OpenCopies source, boolean again) throws IOException {
    PartsWriter writer = writers.get();
    Member member = checkpoint.member();
    CheckpointId id = checkpoint.id();
    RankChunks chunks = checkpoint.chunksOf(source.first());
    if (again) {
      return writeAgain(writer.single(), member, id, chunks);
    } else if (!bases.isOn()) {
      return writer.write(store, id, member.size(), chunks, source.readers());
    }
    Leaning leaning = bases.of(id, member.rank());
    Base written = writer.write(store, id, member.size(), chunks, source.readers(), leaning);
    bases.written(member.rank(), written);
    return written.containers();
  }

  /**
   * Under a name of its own: files of the first write may be there, and a delete of them may take
   * effect later.
   */
  private List<ContainerSummary> writeAgain(
      ContainerWriter writer, Member member, CheckpointId id, RankChunks chunks)
      throws IOException {
    String name = StoreNames.container(member.rank(), "again-" + UUID.randomUUID());
    if (!bases.isOn()) {
      return List.of(writer.write(store, id, member.size(), List.of(chunks), name));
    }
    Leaning leaning = bases.of(id, member.rank());
    Base written = writer.write(store, id, member.size(), chunks, name, leaning);
    bases.written(member.rank(), written);
    return written.containers();
  }

  @Override
  public void settled(CheckpointId id, int rank, Outcome outcome) {
    bases.settled(id, rank, outcome);
  }

  @Override
  public void left(GroupId group, OptionalLong ended) {
    bases.left(group);
  }
}

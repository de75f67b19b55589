package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.RankChunks;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.ReadableStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Containers at STORE that a staging server writes for others. It reads a chunk at a time, and
 * compares each with its checksum before it writes it. Every attempt writes a container of its own
 * name, so two of them never meet. Thread-safe.
 */
final class StagedContainers {
  private final CheckpointStore store;
  private final ThreadLocal<ContainerWriter> writers;
  private final Pace pace;
  private final LongConsumer stagedBytes;

  /**
   * Writes nothing yet.
   *
   * @param store STORE; stays the caller's to close
   * @param writer makes the writer of a thread
   * @param pace of all threads together
   * @param stagedBytes receives the bytes of each container
   */
  StagedContainers(
      CheckpointStore store,
      Supplier<ContainerWriter> writer,
      Pace pace,
      LongConsumer stagedBytes) {
    this.store = store;
    this.writers = ThreadLocal.withInitial(writer);
    this.pace = pace;
    this.stagedBytes = stagedBytes;
  }

  /**
   * Writes one rank's data, on the calling thread.
   *
   * @param part the rank's part of the manifest
   * @param birth of the group, as the owner knows it
   * @param from the containers that it names
   * @throws IOException if the epoch was not claimed for this birth at STORE, or the data did not
   *     reach it; nothing there counts then
   */
  ContainerSummary write(CheckpointManifest part, String birth, ReadableStore from)
      throws IOException {
    requireClaimed(part.id(), birth);
    int rank = part.ranks().iterator().next();
    String name = StoreNames.container(rank, "s" + UUID.randomUUID());
    try (RankReader chunks = RankReader.open(from, part.id(), rank, part.containers())) {
      RankChunks all =
          new RankChunks(rank, chunks.images(), new PacedChunks(chunks, pace))
              .writtenBy(ContainerSummary.program(part.containers()));
      ContainerSummary written =
          writers.get().write(store, part.id(), part.size(), List.of(all), name);
      stagedBytes.accept(written.bytes());
      return written;
    }
  }

  /** An owner that names an epoch which nobody took gets no directory of it. */
  private void requireClaimed(CheckpointId id, String birth) throws IOException {
    String claimed = new EpochFiles(store).birth(id.group(), id.epoch()).orElse("");
    if (!StoreNames.isBirth(birth) || !claimed.equals(birth)) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "epoch %d of %s was not claimed at STORE by an attempt of the owner's birth %s",
              id.epoch(),
              id.group(),
              birth));
    }
  }

  /** Waits after each chunk until its bytes are paid for. */
  private record PacedChunks(ChunkReader chunks, Pace pace) implements ChunkReader {
    @Override
    public void read(int region, int chunk, ByteBuffer into) throws IOException {
      int before = into.position();
      chunks.read(region, chunk, into);
      pace.passed(into.position() - before);
    }
  }
}

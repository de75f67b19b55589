package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** One rank whose content changes from checkpoint to checkpoint, each written upon an older one. */
public final class LayeredRank {
  /** Length of a chunk. */
  public static final int CHUNK = 64;

  private final int rank;
  private final int size;
  private final int maxHolders;
  private final ContainerWriter writer;
  private final byte[][] contents;
  private Optional<Base> base = Optional.empty();

  /** A rank of a group of so many, with two regions of ten and three chunks. */
  public LayeredRank(int rank, int size, int maxHolders, SplittableRandom random) {
    this(rank, size, maxHolders, random, Compression.NONE);
  }

  LayeredRank(
      int rank, int size, int maxHolders, SplittableRandom random, Compression compression) {
    this.rank = rank;
    this.size = size;
    this.maxHolders = maxHolders;
    this.writer = new ContainerWriter(CHUNK, compression);
    this.contents = new byte[][] {new byte[10 * CHUNK], new byte[2 * CHUNK + 7]};
    random.nextBytes(contents[0]);
    random.nextBytes(contents[1]);
  }

  /** The regions as they are now. */
  public SampleRank sample() {
    return SampleRank.of(rank, CHUNK, contents[0].clone(), contents[1].clone());
  }

  /** Changes some chunks, or none. */
  public void change(SplittableRandom random) {
    for (byte[] content : contents) {
      for (int at = 0; at < content.length; at += CHUNK) {
        if (random.nextInt(4) == 0) {
          content[at] ^= (byte) (1 + random.nextInt(255));
        }
      }
    }
  }

  /** Changes one chunk of the first region. */
  public void change(int chunk) {
    contents[0][chunk * CHUNK]++;
  }

  /** The next checkpoint is written whole. */
  public void forget() {
    base = Optional.empty();
  }

  /** Writes the present state; the next one leans on this. */
  public ContainerSummary write(CheckpointStore store, CheckpointId id) throws IOException {
    Base written = writeAside(store, id);
    base = Optional.of(written);
    return written.containers().get(0);
  }

  /** Writes the present state; the next one leans on an older one. */
  public Base writeAside(CheckpointStore store, CheckpointId id) throws IOException {
    return writer.write(
        store,
        id,
        size,
        sample().chunks(),
        StoreNames.container(rank),
        new Leaning(base, maxHolders));
  }

  /** The regions as a checkpoint in a store has them, every chunk verified. */
  public static List<byte[]> read(
      CheckpointStore store, CheckpointId id, int rank, List<ContainerSummary> containers)
      throws IOException {
    try (RankReader reader = RankReader.open(store, id, rank, containers)) {
      return SampleRank.readAll(reader.images(), reader);
    }
  }

  /** Requires that a rank's container reads as these regions. */
  static void assertReads(
      CheckpointStore store, CheckpointId id, ContainerSummary container, SampleRank expected)
      throws IOException {
    assertThat(read(store, id, 0, List.of(container)))
        .as(id.toString())
        .usingElementComparator(Arrays::compare)
        .isEqualTo(expected.contents());
  }
}

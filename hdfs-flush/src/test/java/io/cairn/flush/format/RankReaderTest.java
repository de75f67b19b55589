package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.ContainerSummary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Chunks of one rank that lie in several containers. */
class RankReaderTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "group"), 3, 7);

  private final MemoryStore store = new MemoryStore("split");
  private final ContainerWriter writer = new ContainerWriter(1024);

  private ContainerSummary write(SampleRank rank, String holder, RankChunks.Part part)
      throws IOException {
    RankChunks chunks = new RankChunks(rank.rank(), rank.images(), rank.reader(), part);
    String name = StoreNames.container(rank.rank(), holder);
    return writer.write(store, ID, 9, List.of(chunks), name);
  }

  @RepeatedTest(100)
  void whereverTheyLieTheyAreReadAsOne(RepetitionInfo repetition) throws IOException {
    long seed = repetition.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    SampleRank rank = SampleRank.random(4, random);
    int holders = 1 + random.nextInt(4);
    List<ContainerSummary> containers = new ArrayList<>();
    for (int holder = 0; holder < holders; holder++) {
      int own = holder;
      // some chunks may lie in two of them
      int also = random.nextInt(holders);
      containers.add(
          write(
              rank,
              "h" + holder,
              (region, chunk) -> {
                int place = (region * 31 + chunk) % holders;
                return place == own || place == also;
              }));
    }
    try (RankReader reader = RankReader.open(store, ID, 4, containers)) {
      assertThat(reader.images()).as("seed %d", seed).isEqualTo(rank.images());
      assertThat(SampleRank.readAll(reader.images(), reader))
          .as("seed %d", seed)
          .usingElementComparator(Arrays::compare)
          .isEqualTo(rank.contents());
    }
    for (ContainerSummary container : containers) {
      try (ContainerReader part = ContainerReader.open(store, ID, container)) {
        part.verify(4, ByteBuffer.allocate(1024));
      }
    }
  }

  @Test
  void aChunkThatLiesInNoneIsNamed() throws IOException {
    SampleRank rank = SampleRank.small(2, 1);
    ContainerSummary one = write(rank, "one", (region, chunk) -> region == 0 && chunk != 2);
    ContainerSummary other = write(rank, "other", (region, chunk) -> region == 2);
    assertThatThrownBy(() -> RankReader.open(store, ID, 2, List.of(one, other)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("no container of rank 2 holds chunk 2 of region r0");
  }

  @Test
  void containersOfDifferentCapturesAreNotMixed() throws IOException {
    ContainerSummary one = write(SampleRank.small(2, 1), "one", (region, chunk) -> region == 0);
    ContainerSummary other = write(SampleRank.small(2, 5), "other", (region, chunk) -> region != 0);
    assertThatThrownBy(() -> RankReader.open(store, ID, 2, List.of(one, other)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("differ in their regions or checksums");
  }

  @Test
  void aContainerDoesNotInventWhatLiesElsewhere() throws IOException {
    SampleRank rank = SampleRank.small(2, 1);
    ContainerSummary part = write(rank, "one", (region, chunk) -> chunk == 0);
    try (ContainerReader reader = ContainerReader.open(store, ID, part)) {
      assertThat(reader.holds(2, 0, 0)).isTrue();
      assertThat(reader.holds(2, 0, 1)).isFalse();
      assertThatThrownBy(() -> reader.chunks(2).read(0, 1, ByteBuffer.allocate(64)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("does not hold chunk 1 of region r0");
    }
  }
}

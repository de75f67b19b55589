package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
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

class ContainerRoundTripTest {
  private static final GroupId GROUP = new GroupId("job", "group");
  private static final CheckpointId ID = new CheckpointId(GROUP, 3, 42);

  private final MemoryStore store = new MemoryStore("m");

  @RepeatedTest(60)
  void writtenRanksAreRead(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    List<SampleRank> ranks = new ArrayList<>();
    int rank = 0;
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      ranks.add(SampleRank.random(rank, random));
      rank += 1 + random.nextInt(3);
    }
    ContainerSummary summary =
        new ContainerWriter(400)
            .write(store, ID, rank, ranks.stream().map(SampleRank::chunks).toList());
    assertThat(summary.ranks())
        .as("seed %d", seed)
        .isEqualTo(ranks.stream().map(SampleRank::rank).toList());
    byte[] file = store.content(StoreNames.file(ID, summary.file()));
    assertThat(summary.bytes()).isEqualTo(file.length);
    assertThat(ContainerHeader.decode(ByteBuffer.wrap(file), summary.file()).groupSize())
        .isEqualTo(rank);
    try (ContainerReader reader = ContainerReader.open(store, ID, summary)) {
      for (SampleRank sample : ranks) {
        reader.verify(sample.rank(), ByteBuffer.allocateDirect(300));
        assertThat(reader.images(sample.rank())).as("seed %d", seed).isEqualTo(sample.images());
        List<byte[]> read = SampleRank.readAll(sample.images(), reader.chunks(sample.rank()));
        assertThat(read)
            .as("seed %d", seed)
            .usingElementComparator(Arrays::compare)
            .isEqualTo(sample.contents());
      }
    }
  }

  @Test
  void chunksMayBeReadInAnyOrderAndIntoTheMiddleOfABuffer() throws IOException {
    SampleRank sample = SampleRank.small(0, 1);
    ContainerSummary summary = write(sample);
    try (ContainerReader reader = ContainerReader.open(store, ID, summary)) {
      ByteBuffer into = ByteBuffer.allocate(200).position(7);
      reader.chunks(0).read(2, 1, into);
      reader.chunks(0).read(0, 3, into);
      assertThat(into.position()).isEqualTo(7 + 32 + 4);
      assertThat(into.limit()).isEqualTo(200);
      byte[] last = new byte[4];
      into.get(7 + 32, last);
      assertThat(last).isEqualTo(Arrays.copyOfRange(sample.contents().get(0), 96, 100));
    }
  }

  @Test
  void theSameCheckpointIsWrittenAsTheSameBytes() throws IOException {
    ContainerSummary first = write(SampleRank.small(0, 1));
    MemoryStore other = new MemoryStore("other");
    ContainerWriter writer = new ContainerWriter(64);
    writer.write(other, ID, 1, List.of(SampleRank.small(0, 2).chunks()));
    other.files.clear();
    ContainerSummary second = writer.write(other, ID, 1, List.of(SampleRank.small(0, 1).chunks()));
    assertThat(second).isEqualTo(first);
    assertThat(other.content(StoreNames.file(ID, second.file())))
        .isEqualTo(store.content(StoreNames.file(ID, first.file())));
  }

  @Test
  void aRankThatIsNotHeldIsRefused() throws IOException {
    try (ContainerReader reader = ContainerReader.open(store, ID, write(SampleRank.small(0, 1)))) {
      assertThatThrownBy(() -> reader.images(1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("holds ranks [0], not 1");
    }
  }

  private ContainerSummary write(SampleRank sample) throws IOException {
    return new ContainerWriter(64)
        .write(store, new Member(GROUP, 0, 1), ID, sample.images(), sample.reader());
  }
}

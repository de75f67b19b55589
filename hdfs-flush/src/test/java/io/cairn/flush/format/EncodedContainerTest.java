package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.GroupId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.codec.SampleBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Containers of version 2. */
class EncodedContainerTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "group"), 3, 42);
  private static final int CHUNK = 5_000;
  private static final int REGION = 20_000;

  private final MemoryStore store = new MemoryStore("m");

  /** One region of each kind of content, with a shorter last chunk. */
  private static SampleRank sample(int rank, long seed, int mostChunks) {
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> contents = new ArrayList<>();
    for (SampleBytes kind : SampleBytes.values()) {
      byte[] content = new byte[random.nextInt(mostChunks * CHUNK)];
      kind.direct(content.length, random).get(content);
      contents.add(content);
    }
    return SampleRank.of(rank, CHUNK, contents.toArray(byte[][]::new));
  }

  private ContainerSummary write(Compression compression, List<SampleRank> ranks)
      throws IOException {
    return new ContainerWriter(CHUNK, compression)
        .write(store, ID, 9, ranks.stream().map(SampleRank::chunks).toList());
  }

  private void readAll(MemoryStore from, ContainerSummary container) throws IOException {
    try (ContainerReader reader = ContainerReader.open(from, ID, container)) {
      for (int rank : container.ranks()) {
        reader.verify(rank, ByteBuffer.allocate(CHUNK));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void whateverTheCompressionTheRanksAreReadToTheLastBit(Compression compression)
      throws IOException {
    for (long seed = 1; seed <= 20; seed++) {
      store.files.clear();
      List<SampleRank> ranks = List.of(sample(2, seed, 4), sample(5, -seed, 4));
      ContainerSummary container = write(compression, ranks);

      try (ContainerReader reader = ContainerReader.open(store, ID, container)) {
        for (SampleRank rank : ranks) {
          reader.verify(rank.rank(), ByteBuffer.allocateDirect(CHUNK));
          assertThat(reader.images(rank.rank())).as("seed %d", seed).isEqualTo(rank.images());
          assertThat(SampleRank.readAll(rank.images(), reader.chunks(rank.rank())))
              .as("seed %d", seed)
              .usingElementComparator(Arrays::compare)
              .isEqualTo(rank.contents());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "ADAPTIVE"})
  void compressedContainersAreShorterThanTheState(Compression compression) throws IOException {
    SampleRank zeros = SampleRank.of(0, CHUNK, new byte[20 * CHUNK]);

    assertThat(write(compression, List.of(zeros)).bytes()).isLessThan(4 * CHUNK);
  }

  /** The length of a container of two regions, either of which shrinks to nearly nothing. */
  private long written(Compression compression, Fingerprint program) throws IOException {
    store.files.clear();
    SampleRank rank = SampleRank.of(0, CHUNK, new byte[REGION], new byte[REGION]);
    ContainerSummary container =
        new ContainerWriter(CHUNK, compression)
            .write(store, ID, 1, List.of(rank.chunks().writtenBy(program)));
    readAll(store, container);
    return container.bytes();
  }

  @Test
  void aRegionIsCompressedAsItAsks() throws IOException {
    assertThat(written(Compression.NONE, Fingerprint.NONE.with("codec.r1", "zstd")))
        .isBetween((long) REGION, REGION + 2_000L);
    assertThat(written(Compression.ZSTD, Fingerprint.NONE.with("codec.r1", "none")))
        .isBetween((long) REGION, REGION + 2_000L);
    assertThat(written(Compression.ZSTD, Fingerprint.NONE)).isLessThan(2_000);
  }

  @Test
  void anUnknownCompressionOfARegionCountsAsNone() throws IOException {
    assertThat(written(Compression.NONE, Fingerprint.NONE.with("codec.r0", "brotli")))
        .isEqualTo(written(Compression.NONE, Fingerprint.NONE));
  }

  @Test
  void aContainerWithoutCompressionIsOfVersion1() throws IOException {
    ContainerSummary plain = write(Compression.NONE, List.of(SampleRank.small(0, 1)));

    ByteBuffer file = ByteBuffer.wrap(store.content(StoreNames.file(ID, plain.file())));
    assertThat(ContainerHeader.decode(file, "file").version()).isEqualTo(ContainerVersion.PLAIN);
  }

  @Test
  void aPartOfARankIsReadTogetherWithAPlainContainer() throws IOException {
    SampleRank rank = sample(4, 7, 4);
    List<ContainerSummary> containers = new ArrayList<>();
    for (int holder = 0; holder < 2; holder++) {
      int own = holder;
      RankChunks part =
          new RankChunks(
              4, rank.images(), rank.reader(), (region, chunk) -> (region + chunk) % 2 == own);
      Compression compression = holder == 0 ? Compression.NONE : Compression.SHUFFLE_ZSTD;
      containers.add(
          new ContainerWriter(CHUNK, compression)
              .write(store, ID, 9, List.of(part), StoreNames.container(4, "h" + holder)));
    }

    try (RankReader reader = RankReader.open(store, ID, 4, containers)) {
      assertThat(SampleRank.readAll(reader.images(), reader))
          .usingElementComparator(Arrays::compare)
          .isEqualTo(rank.contents());
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "ADAPTIVE"})
  void everyFlippedBitIsFound(Compression compression) throws IOException {
    byte[] content = new byte[300];
    SampleBytes.INTEGERS.direct(300, new SplittableRandom(1)).get(content);
    ContainerSummary container =
        write(compression, List.of(SampleRank.of(0, 200, content, new byte[100])));
    String path = StoreNames.file(ID, container.file());

    for (long bit = 0; bit < 8 * container.bytes(); bit++) {
      MemoryStore damaged = store.copy();
      damaged.flip(path, bit);
      assertThat(catchThrowable(() -> readAll(damaged, container)))
          .as("bit %d", bit)
          .isInstanceOf(FormatException.class);
    }
  }

  @Test
  void damagedStoredBytesAreNamedBeforeTheyAreDecoded() throws IOException {
    ContainerSummary container =
        write(Compression.ZSTD, List.of(SampleRank.of(0, CHUNK, new byte[2 * CHUNK])));
    store.flip(StoreNames.file(ID, container.file()), 8L * ContainerHeader.BYTES);

    assertThatThrownBy(() -> readAll(store, container))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("offset 512: stored bytes of region r0, chunk 0 of 2 has CRC32C");
  }

  @Test
  void aReadLeavesTheLimitAndPassesTheChunkOnly() throws IOException {
    SampleRank rank = SampleRank.of(0, CHUNK, new byte[2 * CHUNK]);
    ContainerSummary container = write(Compression.LZ4, List.of(rank));

    try (ContainerReader reader = ContainerReader.open(store, ID, container)) {
      ByteBuffer into = ByteBuffer.allocate(3 * CHUNK).position(7);
      reader.chunks(0).read(0, 1, into);
      assertThat(into.position()).isEqualTo(7 + CHUNK);
      assertThat(into.limit()).isEqualTo(3 * CHUNK);
    }
  }

  @Test
  void anUnfinishedManifestsContainerIsDescribed() throws IOException {
    ContainerSummary container = write(Compression.LZ4, List.of(sample(2, 1, 2), sample(5, 2, 2)));

    assertThat(UnnamedContainer.read(store, ID, container.file()).ranks())
        .containsExactlyInAnyOrder(2, 5);
  }
}

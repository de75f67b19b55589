package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.ContentHash;
import io.cairn.core.model.Holder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeaningTest {
  private static final GroupId GROUP = new GroupId("job", "group");
  private static final String FILE = StoreNames.container(0);

  private final MemoryStore store = new MemoryStore("m");

  private static CheckpointId id(long iteration) {
    return new CheckpointId(GROUP, 1, iteration);
  }

  private static LayeredRank rank(int maxHolders) {
    return new LayeredRank(0, 1, maxHolders, new SplittableRandom(1));
  }

  @Test
  void aChunkAsInTheBaseIsNotWrittenAgain() throws IOException {
    LayeredRank rank = rank(8);
    ContainerSummary whole = rank.write(store, id(1));
    rank.change(3);

    ContainerSummary next = rank.write(store, id(2));

    assertThat(whole.bytes() - next.bytes()).isEqualTo(9 * LayeredRank.CHUNK + 2 * 64 + 7);
    assertThat(next.holders()).containsExactly(Holder.of(id(1), whole));
    LayeredRank.assertReads(store, id(2), next, rank.sample());
  }

  @Test
  void aReferenceNamesTheContainerWithTheBytes() throws IOException {
    LayeredRank rank = rank(8);
    ContainerSummary first = rank.write(store, id(1));
    rank.write(store, id(2));

    ContainerSummary third = rank.write(store, id(3));

    assertThat(third.holders()).containsExactly(Holder.of(id(1), first));
    store.files.remove(StoreNames.file(id(2), FILE));
    LayeredRank.assertReads(store, id(3), third, rank.sample());
  }

  /** Without a bound, many nearly whole files would stay for a few chunks each. */
  @Test
  void whatIsLeanedOnTakesAtMostTwiceTheSpace() throws IOException {
    LayeredRank rank = rank(8);
    long chunkBytes = 12 * LayeredRank.CHUNK + 7;
    long described = rank.write(store, id(0)).bytes() - chunkBytes;
    for (int round = 1; round < 20; round++) {
      for (int chunk = 0; chunk < 6; chunk++) {
        rank.change((round + chunk) % 10);
      }

      ContainerSummary next = rank.write(store, id(round));

      long held = next.holders().stream().mapToLong(each -> each.bytes() - described).sum();
      assertThat(held).isBetween(1L, 2 * chunkBytes);
      LayeredRank.assertReads(store, id(round), next, rank.sample());
    }
  }

  @RepeatedTest(30)
  void everyStateOfAChainIsReadWithAtMostSoManyHolders(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    int most = 1 + random.nextInt(5);
    Compression[] compressions = {Compression.NONE, Compression.LZ4, Compression.ZSTD};
    LayeredRank rank = new LayeredRank(0, 1, most, random, compressions[random.nextInt(3)]);
    List<ContainerSummary> written = new ArrayList<>();
    List<SampleRank> expected = new ArrayList<>();

    for (int iteration = 0; iteration < 40; iteration++) {
      written.add(rank.write(store, id(iteration)));
      expected.add(rank.sample());
      rank.change(random);
      if (random.nextInt(15) == 0) {
        rank.forget();
      }
    }

    for (int iteration = 0; iteration < 40; iteration++) {
      ContainerSummary container = written.get(iteration);
      assertThat(container.holders()).as("seed %d", seed).hasSizeLessThanOrEqualTo(most);
      LayeredRank.assertReads(store, id(iteration), container, expected.get(iteration));
    }
  }

  /** Two contents with one checksum: with that alone the change would be lost. */
  private static SampleRank withChecksumOfZeros(boolean changed) {
    long sameCrc32c = 1L | 0x82F63B78L << 1; // the polynomial, from the first bit on
    byte[] content = new byte[LayeredRank.CHUNK];
    ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).putLong(0, changed ? sameCrc32c : 0);
    return SampleRank.of(0, LayeredRank.CHUNK, content);
  }

  @Test
  void aChangeThatKeepsTheChecksumIsWritten() throws IOException {
    SampleRank one = withChecksumOfZeros(false);
    SampleRank two = withChecksumOfZeros(true);
    Base base = write(one, 1, Optional.empty());

    Base next = write(two, 2, Optional.of(base));

    assertThat(one.images()).isEqualTo(two.images());
    assertThat(next.containers().get(0).holders()).isEmpty();
    LayeredRank.assertReads(store, id(2), next.containers().get(0), two);
  }

  @Test
  void aChangeThatKeepsTheChecksumIsReadIfItsHashIsKnown() throws IOException {
    ContainerSummary one =
        write(withChecksumOfZeros(false), 1, Optional.empty()).containers().get(0);
    ContainerSummary two =
        write(withChecksumOfZeros(true), 2, Optional.empty()).containers().get(0);
    MemoryStore farther = new MemoryStore("far");
    Base base = copy(farther, 1, one, Optional.empty(), new ArrayList<>());
    List<Integer> read = new ArrayList<>();

    copy(farther, 2, two, Optional.of(base), read);

    assertThat(read).containsExactly(0);
  }

  private Base write(SampleRank sample, long iteration, Optional<Base> base) throws IOException {
    return new ContainerWriter(LayeredRank.CHUNK)
        .write(store, id(iteration), 1, sample.chunks(), FILE, new Leaning(base, 8));
  }

  @Test
  void aRegionOfAnotherShapeIsWrittenWhole() throws IOException {
    byte[] content = new byte[4 * LayeredRank.CHUNK];
    Base base = write(SampleRank.of(0, LayeredRank.CHUNK, content, content), 1, Optional.empty());
    byte[] longer = Arrays.copyOf(content, content.length + 1);

    SampleRank grown = SampleRank.of(0, LayeredRank.CHUNK, longer, content);
    Base next = write(grown, 2, Optional.of(base));
    SampleRank finer = SampleRank.of(0, LayeredRank.CHUNK / 2, content, content);
    Base last = write(finer, 3, Optional.of(next));

    assertThat(next.containers().get(0).bytes()).isGreaterThan(longer.length);
    assertThat(next.containers().get(0).holders()).hasSize(1);
    assertThat(last.containers().get(0).holders()).isEmpty();
    LayeredRank.assertReads(store, id(2), next.containers().get(0), grown);
    LayeredRank.assertReads(store, id(3), last.containers().get(0), finer);
  }

  @Test
  void aChunkWhoseHashTheSourceKnowsIsNotRead() throws IOException {
    LayeredRank rank = rank(8);
    ContainerSummary one = rank.write(store, id(1));
    rank.change(3);
    ContainerSummary two = rank.write(store, id(2));
    MemoryStore farther = new MemoryStore("far");
    Base base = copy(farther, 1, one, Optional.empty(), new ArrayList<>());
    List<Integer> read = new ArrayList<>();

    Base next = copy(farther, 2, two, Optional.of(base), read);

    assertThat(read).containsExactly(3);
    assertThat(LayeredRank.read(farther, id(2), 0, List.of(next.containers().get(0))))
        .usingElementComparator(Arrays::compare)
        .isEqualTo(rank.sample().contents());
  }

  private Base copy(
      MemoryStore into,
      long iteration,
      ContainerSummary from,
      Optional<Base> base,
      List<Integer> read)
      throws IOException {
    try (RankReader reader = RankReader.open(store, id(iteration), 0, List.of(from))) {
      ChunkReader counted =
          new ChunkReader() {
            @Override
            public void read(int region, int chunk, ByteBuffer bytes) throws IOException {
              read.add(chunk);
              reader.read(region, chunk, bytes);
            }

            @Override
            public Optional<ContentHash> hash(int region, int chunk) {
              return reader.hash(region, chunk);
            }
          };
      return new ContainerWriter(LayeredRank.CHUNK)
          .write(
              into,
              id(iteration),
              1,
              new RankChunks(0, reader.images(), counted),
              FILE,
              new Leaning(base, 8));
    }
  }

  @Test
  void aBaseThatIsNotOlderIsRefused() throws IOException {
    LayeredRank rank = rank(8);
    rank.write(store, id(5));

    assertThatThrownBy(() -> rank.write(store, id(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot lean on");
    assertThat(store.files).doesNotContainKey(StoreNames.file(id(4), FILE));
  }

  @Test
  void aMissingHolderIsAMissingFile() throws IOException {
    LayeredRank rank = rank(8);
    rank.write(store, id(1));
    ContainerSummary next = rank.write(store, id(2));
    store.files.remove(StoreNames.file(id(1), FILE));

    assertThatThrownBy(() -> LayeredRank.read(store, id(2), 0, List.of(next)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(StoreNames.file(id(1), FILE));
  }

  /** Each is a file where a holder is expected, and not that holder. */
  @ParameterizedTest
  @EnumSource
  void aFileThatIsNotTheHolderIsRejected(Stranger stranger) throws IOException {
    LayeredRank rank = rank(8);
    rank.write(store, id(1));
    ContainerSummary next = rank.write(store, id(2));
    String path = StoreNames.file(id(1), FILE);
    byte[] holder = store.content(path);
    MemoryStore other = new MemoryStore("other");
    new LayeredRank(0, 1, 8, new SplittableRandom(2)).write(other, id(1));
    rank.forget();
    rank.write(other, id(3));

    store.files.put(
        path,
        switch (stranger) {
          case SHORTER -> Arrays.copyOf(holder, holder.length - 1);
          case OTHER_CONTENT -> other.content(path);
          case OTHER_CHECKPOINT -> other.content(StoreNames.file(id(3), FILE));
        });

    assertThatThrownBy(() -> LayeredRank.read(store, id(2), 0, List.of(next)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(path);
  }

  /** Files that take the place of a holder. */
  enum Stranger {
    SHORTER,
    OTHER_CONTENT,
    OTHER_CHECKPOINT
  }

  @Test
  void aDamagedChunkOfAHolderIsReportedWithTheFileThatHasIt() throws IOException {
    LayeredRank rank = rank(8);
    rank.write(store, id(1));
    ContainerSummary next = rank.write(store, id(2));
    store.flip(StoreNames.file(id(1), FILE), 8L * ContainerHeader.BYTES);

    try (ContainerReader reader = ContainerReader.open(store, id(2), next)) {
      assertThatThrownBy(() -> reader.verify(0, ByteBuffer.allocate(LayeredRank.CHUNK)))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(StoreNames.file(id(1), FILE) + ", offset " + ContainerHeader.BYTES);
    }
  }

  @Test
  void aManifestWithOtherHoldersThanTheIndexIsRejected() throws IOException {
    LayeredRank rank = rank(8);
    rank.write(store, id(1));
    ContainerSummary next = rank.write(store, id(2));
    ContainerSummary without =
        new ContainerSummary(next.file(), next.bytes(), next.indexDigest(), next.ranks());
    Holder more = new Holder(1, 0, FILE, 99, Digest.of(new byte[0]));

    assertThatThrownBy(() -> ContainerReader.open(store, id(2), without))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("leans on 1 holders, its manifest lists 0");
    assertThatThrownBy(() -> ContainerReader.open(store, id(2), next.leaningOn(more)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("leans on 1 holders, its manifest lists 2");
  }

  /** The manifest names a shorter holder than the index was written for. */
  @Test
  void aReferenceBeyondTheEndOfItsHolderIsRejected() throws IOException {
    LayeredRank rank = rank(8);
    ContainerSummary first = rank.write(store, id(1));
    ContainerSummary next = rank.write(store, id(2));
    Holder shorter =
        new Holder(1, 1, FILE, ContainerHeader.BYTES + ContainerTrailer.BYTES, first.indexDigest());
    ContainerSummary hostile =
        new ContainerSummary(next.file(), next.bytes(), next.indexDigest(), next.ranks())
            .leaningOn(shorter);

    assertThatThrownBy(() -> LayeredRank.read(store, id(2), 0, List.of(hostile)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("ends before chunk 0");
  }

  @Test
  void withoutHoldersTheFileIsAsBefore() throws IOException {
    SampleRank sample = rank(8).sample();

    ContainerSummary container =
        new ContainerWriter(LayeredRank.CHUNK).write(store, id(1), 1, List.of(sample.chunks()));

    assertThat(store.content(StoreNames.file(id(1), FILE))[11]).isEqualTo((byte) 1);
    LayeredRank.assertReads(store, id(1), container, sample);
  }
}

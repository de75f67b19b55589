package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.ContainerSummary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerDamageTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "group"), 3, 42);

  private final MemoryStore store = new MemoryStore("m");
  private ContainerSummary summary =
      new ContainerSummary("none", 0, Digest.of(new byte[0]), List.of(0));
  private String path = "";

  @BeforeEach
  void write() throws IOException {
    List<RankChunks> ranks =
        List.of(SampleRank.small(0, 1).chunks(), SampleRank.small(1, 2).chunks());
    summary = new ContainerWriter(64).write(store, ID, 2, ranks);
    path = StoreNames.file(ID, summary.file());
  }

  private static void readAll(MemoryStore from, CheckpointId id, ContainerSummary expected)
      throws IOException {
    try (ContainerReader reader = ContainerReader.open(from, id, expected)) {
      for (int rank : expected.ranks()) {
        reader.verify(rank, ByteBuffer.allocate(64));
      }
    }
  }

  private void assertFound(MemoryStore damaged, ContainerSummary expected, String what) {
    Throwable thrown = catchThrowable(() -> readAll(damaged, ID, expected));
    assertThat(thrown).as(what).isInstanceOf(FormatException.class);
    FormatException found = (FormatException) thrown;
    assertThat(found.file()).as(what).isEqualTo("memory:m/" + path);
    assertThat(found.offset()).as(what).isBetween(0L, summary.bytes());
    assertThat(found.reason()).as(what).isNotBlank();
    assertThat(found)
        .hasMessage(found.file() + ", offset " + found.offset() + ": " + found.reason());
  }

  @Test
  void everyFlippedBitIsFound() {
    for (long bit = 0; bit < 8 * summary.bytes(); bit++) {
      MemoryStore damaged = store.copy();
      damaged.flip(path, bit);
      assertFound(damaged, summary, "bit " + bit);
    }
  }

  @Test
  void everyTruncationIsFoundWhateverTheManifestSays() {
    byte[] whole = store.content(path);
    Set<Integer> lengths = new TreeSet<>();
    for (int length = 0; length < whole.length; length++) {
      lengths.add(length);
    }
    for (int length : lengths) {
      MemoryStore damaged = store.copy();
      damaged.files.put(path, Arrays.copyOf(whole, length));
      assertFound(damaged, summary, "cut to " + length);
      ContainerSummary agreeing =
          new ContainerSummary(summary.file(), length, summary.indexDigest(), summary.ranks());
      assertFound(damaged, agreeing, "cut to " + length + ", as the manifest says");
    }
  }

  @Test
  void bytesAfterTheTrailerAreFound() {
    MemoryStore damaged = store.copy();
    damaged.files.put(path, Arrays.copyOf(store.content(path), (int) summary.bytes() + 1));
    assertFound(damaged, summary, "one byte more");
  }

  @ParameterizedTest
  @CsvSource({"other, group, 3, 42", "job, other, 3, 42", "job, group, 4, 42", "job, group, 3, 43"})
  void aContainerOfAnotherCheckpointIsRefused(
      String job, String group, long epoch, long iteration) {
    CheckpointId other = new CheckpointId(new GroupId(job, group), epoch, iteration);
    store.files.put(StoreNames.file(other, summary.file()), store.content(path));
    assertThatThrownBy(() -> readAll(store, other, summary))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("memory:m/" + StoreNames.file(other, summary.file()))
        .hasMessageContaining("holds " + ID + ", not " + other);
  }

  @Test
  void aContainerThatIsNotTheOneOfTheManifestIsRefused() {
    ContainerSummary otherIndex =
        new ContainerSummary(
            summary.file(), summary.bytes(), Digest.of(new byte[1]), summary.ranks());
    assertThatThrownBy(() -> readAll(store, ID, otherIndex))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("its manifest says " + otherIndex.indexDigest());
    ContainerSummary otherRanks =
        new ContainerSummary(summary.file(), summary.bytes(), summary.indexDigest(), List.of(0));
    assertThatThrownBy(() -> readAll(store, ID, otherRanks))
        .hasMessageContaining("holds ranks [0, 1], its manifest says [0]");
  }

  @Test
  void aMissingContainerIsNamed() {
    store.files.remove(path);
    assertThatThrownBy(() -> readAll(store, ID, summary))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(path);
  }

  @Test
  void aDamagedChunkIsNamed() {
    store.flip(path, 8L * (ContainerHeader.BYTES + 100 + 40));
    assertThatThrownBy(() -> readAll(store, ID, summary))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("offset 644: rank 0, region r2, chunk 1 of 2 has CRC32C");
  }

  @RepeatedTest(50)
  void anIndexOfArbitraryBytesIsRefusedOrReadAndNothingElse(RepetitionInfo info) {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    byte[] whole = store.content(path);
    ContainerTrailer trailer = trailer(whole);
    for (int round = 0; round < 200; round++) {
      byte[] index =
          Arrays.copyOfRange(
              whole, (int) trailer.indexOffset(), whole.length - ContainerTrailer.BYTES);
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        int at = 8 + random.nextInt(index.length - 8);
        index[at] = (byte) (random.nextBoolean() ? 0xff : random.nextInt(256));
      }
      int length = random.nextInt(4) == 0 ? random.nextInt(index.length) : index.length;
      Throwable thrown =
          catchThrowable(
              () ->
                  ContainerIndex.decode(
                      ByteBuffer.wrap(index, 0, length),
                      "file",
                      trailer.indexOffset(),
                      seed % 2 == 0 ? ContainerVersion.PLAIN : ContainerVersion.ENCODED));
      if (thrown != null) {
        assertThat(thrown).as("seed %d, round %d", seed, round).isInstanceOf(FormatException.class);
      }
    }
  }

  private static ContainerTrailer trailer(byte[] whole) {
    try {
      return ContainerTrailer.decode(
          ByteBuffer.wrap(whole, whole.length - ContainerTrailer.BYTES, ContainerTrailer.BYTES)
              .slice(),
          "file",
          whole.length);
    } catch (FormatException e) {
      throw new AssertionError(e);
    }
  }
}

package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.GroupId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.format.ContainerScan.RegionScan;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Scans of whole, damaged and cut containers of two ranks. */
class ContainerScannerTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "group"), 3, 42);

  private final MemoryStore store = new MemoryStore("m");
  private String path = "";
  private Optional<ContainerScanner.Named> named = Optional.empty();
  private long indexAt;
  private long bytes;

  @BeforeEach
  void write() throws IOException {
    List<RankChunks> ranks =
        List.of(SampleRank.small(0, 1).chunks(), SampleRank.small(1, 2).chunks());
    ContainerSummary summary = new ContainerWriter(64, Compression.ZSTD).write(store, ID, 2, ranks);
    path = StoreNames.file(ID, summary.file());
    named = Optional.of(new ContainerScanner.Named(ID, summary));
    bytes = summary.bytes();
    indexAt = scan(store, named).index().orElseThrow().offset();
  }

  private ContainerScan scan(MemoryStore in, Optional<ContainerScanner.Named> as)
      throws IOException {
    return ContainerScanner.scan(in, path, as, read -> {});
  }

  private static int chunks(ContainerScan scan) {
    return scan.regions().stream().mapToInt(RegionScan::here).sum();
  }

  private static int bad(ContainerScan scan) {
    return scan.regions().stream().mapToInt(region -> region.badChunks().size()).sum();
  }

  @Test
  void aWholeFileHasNoBreak() throws IOException {
    for (ContainerScan scan : List.of(scan(store, named), scan(store, Optional.empty()))) {
      assertThat(scan.isWhole()).isTrue();
      assertThat(scan.head().orElseThrow().id()).isEqualTo(ID);
      assertThat(scan.head().orElseThrow().groupSize()).isEqualTo(2);
      assertThat(scan.index().orElseThrow().searched()).isFalse();
      assertThat(scan.regions()).extracting(RegionScan::rank).containsExactly(0, 0, 0, 1, 1, 1);
      assertThat(chunks(scan)).isEqualTo(12);
    }
  }

  /** If a part breaks, the others are still found, and the place is named. */
  @Test
  void aFlippedBitInAnyByteBreaksItsPartAlone() throws IOException {
    for (long at = 0; at < bytes; at++) {
      long bit = 8 * at + at % 8;
      MemoryStore damaged = store.copy();
      damaged.flip(path, bit);

      ContainerScan scan = scan(damaged, named);

      assertThat(scan.breaks()).as("bit %d", bit).isNotEmpty();
      assertThat(scan.breaks().get(0).offset()).as("bit %d", bit).isBetween(from(at), to(at));
      assertThat(scan.head().isPresent()).as("bit %d", bit).isEqualTo(at >= ContainerHeader.BYTES);
      boolean inIndex = at >= indexAt && at < bytes - ContainerTrailer.BYTES;
      assertThat(chunks(scan)).as("bit %d", bit).isEqualTo(inIndex ? 0 : 12);
      boolean inChunks = at >= ContainerHeader.BYTES && at < indexAt;
      assertThat(bad(scan)).as("bit %d", bit).isEqualTo(inChunks ? 1 : 0);
    }
  }

  /** Where the part with a byte begins; the longest chunk has 32 bytes. */
  private long from(long at) {
    if (at < ContainerHeader.BYTES) {
      return 0;
    }
    return at < indexAt
        ? Math.max(ContainerHeader.BYTES, at - 31)
        : at < bytes - ContainerTrailer.BYTES ? indexAt : bytes - ContainerTrailer.BYTES;
  }

  private long to(long at) {
    return at < ContainerHeader.BYTES ? ContainerHeader.BYTES : at < indexAt ? at : bytes;
  }

  @Test
  void theIndexOfAFileWithoutItsTrailerIsFoundByItsContent() throws IOException {
    byte[] whole = store.content(path);
    for (int left = 0; left < ContainerTrailer.BYTES; left++) {
      MemoryStore cut = store.copy();
      cut.files.put(path, Arrays.copyOf(whole, (int) bytes - ContainerTrailer.BYTES + left));

      for (ContainerScan scan : List.of(scan(cut, named), scan(cut, Optional.empty()))) {
        assertThat(scan.isWhole()).as("%d bytes left", left).isFalse();
        assertThat(scan.index().orElseThrow().searched()).isTrue();
        assertThat(scan.index().orElseThrow().offset()).isEqualTo(indexAt);
        assertThat(chunks(scan)).isEqualTo(12);
        assertThat(bad(scan)).isZero();
      }
    }
  }

  @Test
  void aFileThatIsCutBeforeTheIndexKeepsItsHeader() throws IOException {
    byte[] whole = store.content(path);
    for (int length = 0; length < indexAt + 20; length++) {
      MemoryStore cut = store.copy();
      cut.files.put(path, Arrays.copyOf(whole, length));

      ContainerScan scan = scan(cut, named);

      assertThat(scan.breaks().get(0).offset()).as("cut to %d", length).isEqualTo(length);
      assertThat(scan.head().isPresent()).as("cut to %d", length).isEqualTo(length >= 512);
      assertThat(scan.index()).isEmpty();
    }
  }

  @Test
  void aFileOfAnotherCheckpointIsNotTakenForIt() throws IOException {
    CheckpointId other = new CheckpointId(ID.group(), 3, 43);
    ContainerSummary entry = named.orElseThrow().entry();

    ContainerScan scan = scan(store, Optional.of(new ContainerScanner.Named(other, entry)));

    assertThat(scan.breaks())
        .anySatisfy(each -> assertThat(each.reason()).contains("holds " + ID + ", not " + other));
    assertThatThrownBy(() -> ContainerScanner.scan(store, path + "x", Optional.empty(), read -> {}))
        .isInstanceOf(NoSuchFileException.class);
  }

  /** Chunks that the file leaves out are read where they are. */
  @Test
  void aDamagedHolderIsNamed() throws IOException {
    store.files.clear();
    SplittableRandom random = new SplittableRandom(7);
    LayeredRank rank = new LayeredRank(0, 1, 4, random);
    ContainerSummary old = rank.write(store, ID);
    CheckpointId next = new CheckpointId(ID.group(), 3, 43);
    rank.change(0);
    ContainerSummary entry = rank.write(store, next);
    path = StoreNames.file(next, entry.file());
    named = Optional.of(new ContainerScanner.Named(next, entry));
    assertThat(scan(store, named).isWhole()).isTrue();
    assertThat(scan(store, named).regions().get(0).leaned()).containsExactly(Map.entry(1, 9));
    // chunk 3 of the first region
    store.flip(
        StoreNames.file(ID, old.file()), 8L * (ContainerHeader.BYTES + 3 * LayeredRank.CHUNK));

    ContainerScan scan = scan(store, named);

    assertThat(scan.regions().get(0).badChunks()).containsExactly(3);
    assertThat(scan.breaks()).hasSize(1);
    assertThat(scan.breaks().get(0).file()).endsWith(StoreNames.file(ID, old.file()));
    store.files.remove(StoreNames.file(ID, old.file()));
    assertThat(scan(store, named).regions().get(0).badChunks()).hasSize(9);
  }

  @RepeatedTest(20)
  void arbitraryBytesEndInAScan(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    byte[] content = store.content(path).clone();
    for (int i = 0; i < 40; i++) {
      content[random.nextInt(content.length)] = (byte) random.nextInt();
    }
    MemoryStore damaged = store.copy();
    damaged.files.put(path, Arrays.copyOf(content, random.nextInt(content.length + 50)));

    assertThat(scan(damaged, named).isWhole()).as("seed %d", seed).isFalse();
    assertThat(scan(damaged, Optional.empty()).isWhole()).as("seed %d", seed).isFalse();
  }
}

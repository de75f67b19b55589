package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.Digest;
import io.cairn.ErrorBound;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.codec.BitRounding;
import io.cairn.flush.codec.SampleBytes;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.RoundedChunks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The format's page is complete, and frozen samples of both versions stay readable. */
class FormatPageTest {
  private static final Path GOLDEN = sample("golden");
  private static final Path DESCRIBED = sample("golden-2");

  private static final Fingerprint PROGRAM =
      Fingerprint.NONE.with("label", "digits v2").with("region.weights", "float[250]");
  private static final CheckpointId ID =
      new CheckpointId(new GroupId("sample-job", "sample-group"), 3, 42);
  private static final UUID BOOT = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  private static Path sample(String name) {
    return Path.of("src/test/resources", name, "sample-job/sample-group/e000003-i0000000042");
  }

  private static MemoryStore write(List<SampleRank> ranks, int size) throws IOException {
    return write(ranks, size, Fingerprint.NONE);
  }

  private static MemoryStore write(List<SampleRank> ranks, int size, Fingerprint program)
      throws IOException {
    return write(ranks, size, program, Compression.NONE);
  }

  private static MemoryStore write(
      List<SampleRank> ranks, int size, Fingerprint program, Compression compression)
      throws IOException {
    MemoryStore store = new MemoryStore("m");
    ContainerSummary container =
        new ContainerWriter(4096, compression, BOOT)
            .write(store, ID, size, ranks.stream().map(SampleRank::chunks).toList());
    CheckpointId parent = new CheckpointId(ID.group(), 3, 41);
    CheckpointManifest manifest =
        new CheckpointManifest(
            ID,
            size,
            Optional.of(new CheckpointManifest.Parent(parent, Digest.of(new byte[0]))),
            new Ancestry(List.of(new Ancestry.Step(1, 30), new Ancestry.Step(2, 35))),
            "0123456789abcdef",
            List.of(container.writtenBy(program)));
    store.files.put(StoreNames.file(ID, StoreNames.MANIFEST), ManifestCodec.encode(manifest));
    return store;
  }

  private static List<SampleRank> golden() {
    return List.of(SampleRank.small(0, 1), SampleRank.small(1, 2));
  }

  private static void assertContents(SampleRank sample, Map<String, byte[]> read) {
    assertThat(List.copyOf(read.keySet()))
        .isEqualTo(sample.images().stream().map(image -> image.name()).toList());
    assertThat(new ArrayList<>(read.values()))
        .usingElementComparator(Arrays::compare)
        .isEqualTo(sample.contents());
  }

  @RepeatedTest(20)
  void aReaderWrittenFromThePageReadsWhatIsWritten(RepetitionInfo info, @TempDir Path directory)
      throws IOException {
    SplittableRandom random = new SplittableRandom(info.getCurrentRepetition());
    List<SampleRank> ranks = List.of(SampleRank.random(0, random), SampleRank.random(1, random));
    for (Map.Entry<String, byte[]> file : write(ranks, 2).files.entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.resolveSibling("."));
      Files.write(path, file.getValue());
    }
    PageReader reader = new PageReader(directory.resolve(StoreNames.checkpoint(ID)), "MANIFEST");
    for (SampleRank sample : ranks) {
      assertContents(sample, reader.read(sample.rank()));
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aReaderWrittenFromThePageReadsEveryCompression(
      Compression compression, @TempDir Path directory) throws IOException {
    MemoryStore store = encoded(compression);
    for (Map.Entry<String, byte[]> file : store.files.entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.resolveSibling("."));
      Files.write(path, file.getValue());
    }

    PageReader reader = new PageReader(directory.resolve(StoreNames.checkpoint(ID)), "MANIFEST");

    assertContents(compressible(), reader.read(0));
  }

  /** Rounded numbers are ordinary ones, so the page needs no word on how to read them. */
  @Test
  void aReaderWrittenFromThePageReadsRoundedNumbers(@TempDir Path directory) throws IOException {
    byte[] numbers = new byte[9000];
    SampleBytes.WEIGHTS.direct(numbers.length, new SplittableRandom(4)).get(numbers);
    SampleRank exact = SampleRank.of(0, 4096, numbers);
    Fingerprint program = Fingerprint.NONE.with("lossy.r0", "float within 0.001");
    Copy rounded =
        RoundedChunks.of(
            new Copy("", exact.images(), program, exact.reader(), () -> {}), new StagingBuffer());
    byte[] expected = numbers.clone();
    BitRounding.of(false, ErrorBound.absolute(0.001))
        .round(ByteBuffer.wrap(expected), 0, expected.length);
    SampleRank written = new SampleRank(0, List.of(expected), rounded.images());
    MemoryStore store = write(List.of(written), 1, program, Compression.SHUFFLE_ZSTD);
    for (Map.Entry<String, byte[]> file : store.files.entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.resolveSibling("."));
      Files.write(path, file.getValue());
    }

    PageReader reader = new PageReader(directory.resolve(StoreNames.checkpoint(ID)), "MANIFEST");

    assertContents(written, reader.read(0));
  }

  /** The frozen containers, each of another compression, hold equal data. */
  @ParameterizedTest
  @ValueSource(strings = {"lz4", "zstd", "shuffle-zstd"})
  void theFrozenSamplesOfVersion2AreReadByBothReaders(String compression) throws IOException {
    Path frozen = sample("golden-3/" + compression).toAbsolutePath();
    MemoryStore store = new MemoryStore("golden-3");
    for (String name : List.of("MANIFEST", "writer-r00000.chunks")) {
      store.files.put(StoreNames.file(ID, name), Files.readAllBytes(frozen.resolve(name)));
    }
    CheckpointManifest manifest =
        ManifestCodec.decode(store.content(StoreNames.file(ID, "MANIFEST")), "golden-3");

    assertContents(compressible(), new PageReader(frozen, "MANIFEST").read(0));
    try (ContainerReader reader = ContainerReader.open(store, ID, manifest.containers().get(0))) {
      reader.verify(0, ByteBuffer.allocate(4096));
      assertThat(reader.images(0)).isEqualTo(compressible().images());
    }
  }

  private static SampleRank compressible() {
    SplittableRandom random = new SplittableRandom(9);
    List<byte[]> contents = new ArrayList<>();
    for (SampleBytes kind : SampleBytes.values()) {
      byte[] content = new byte[9001];
      kind.direct(content.length, random).get(content);
      contents.add(content);
    }
    return SampleRank.of(0, 4096, contents.toArray(byte[][]::new));
  }

  private static MemoryStore encoded(Compression compression) throws IOException {
    return write(List.of(compressible()), 1, Fingerprint.NONE, compression);
  }

  @RepeatedTest(20)
  void aRankWhoseChunksLieInTwoContainersIsReadFromThePage(RepetitionInfo info, @TempDir Path root)
      throws IOException {
    SampleRank rank = SampleRank.random(0, new SplittableRandom(info.getCurrentRepetition()));
    MemoryStore store = new MemoryStore("split");
    ContainerWriter writer = new ContainerWriter(1024);
    List<ContainerSummary> containers = new ArrayList<>();
    for (int holder = 0; holder < 2; holder++) {
      int own = holder;
      RankChunks part =
          new RankChunks(
              0, rank.images(), rank.reader(), (region, chunk) -> (region + chunk) % 2 == own);
      containers.add(
          writer.write(store, ID, 1, List.of(part), StoreNames.container(0, "holder-" + holder)));
    }
    CheckpointManifest manifest =
        new CheckpointManifest(ID, 1, Optional.empty(), Ancestry.NONE, "nonce", containers);
    Path directory = Files.createDirectories(root.resolve(StoreNames.checkpoint(ID)));
    Files.write(directory.resolve(StoreNames.MANIFEST), ManifestCodec.encode(manifest));
    for (ContainerSummary container : containers) {
      byte[] content = store.content(StoreNames.file(ID, container.file()));
      Files.write(directory.resolve(container.file()), content);
    }
    assertContents(rank, new PageReader(directory, StoreNames.MANIFEST).read(0));
  }

  @Test
  void theFrozenSampleIsReadByTheReaderFromThePage() throws IOException {
    PageReader reader = new PageReader(GOLDEN.toAbsolutePath(), "MANIFEST");
    assertThat(reader.word("parent")).startsWith("3 41 e3b0c442");
    for (SampleRank sample : golden()) {
      assertContents(sample, reader.read(sample.rank()));
    }
  }

  @Test
  void theFrozenEntriesAreReadByTheReaderFromThePage() throws IOException {
    PageReader reader = new PageReader(DESCRIBED.toAbsolutePath(), "MANIFEST");

    assertThat(reader.entries(1)).isEqualTo(PROGRAM.entries());
    assertThat(new PageReader(GOLDEN.toAbsolutePath(), "MANIFEST").entries(1)).isEmpty();
    for (SampleRank sample : golden()) {
      assertContents(sample, reader.read(sample.rank()));
    }
  }

  @Test
  void theFrozenEntriesAreReadByThisVersion() throws IOException {
    CheckpointManifest manifest =
        ManifestCodec.decode(Files.readAllBytes(DESCRIBED.resolve("MANIFEST")), "golden-2");

    assertThat(manifest.fingerprintOf(1)).isEqualTo(PROGRAM);
  }

  @Test
  void theFrozenSampleIsReadByThisVersion() throws IOException {
    MemoryStore store = new MemoryStore("golden");
    for (String name : List.of("MANIFEST", "writer-r00000.chunks")) {
      store.files.put(StoreNames.file(ID, name), Files.readAllBytes(GOLDEN.resolve(name)));
    }
    CheckpointManifest manifest =
        ManifestCodec.decode(store.content(StoreNames.file(ID, "MANIFEST")), "golden");
    ContainerHeader header =
        ContainerHeader.decode(
            ByteBuffer.wrap(store.content(StoreNames.file(ID, "writer-r00000.chunks"))), "golden");

    assertThat(manifest.ancestry().steps()).hasSize(2);
    assertThat(header.bootId()).isEqualTo(BOOT);
    try (ContainerReader reader = ContainerReader.open(store, ID, manifest.containers().get(0))) {
      for (SampleRank sample : golden()) {
        reader.verify(sample.rank(), ByteBuffer.allocate(64));
        assertThat(reader.images(sample.rank())).isEqualTo(sample.images());
      }
    }
  }

  /** If the format changes, so must its version: then a sample is added, and this one stays. */
  @Test
  void theFrozenSampleIsWrittenAgainByteForByte() throws IOException {
    assertFrozen(GOLDEN, write(golden(), 2));
    assertFrozen(DESCRIBED, write(golden(), 2, PROGRAM));
  }

  private static void assertFrozen(Path sample, MemoryStore written) throws IOException {
    for (Map.Entry<String, byte[]> file : written.files.entrySet()) {
      Path frozen = sample.resolve(Path.of(file.getKey()).getFileName());
      assertThat(file.getValue()).as(file.getKey()).isEqualTo(Files.readAllBytes(frozen));
    }
  }
}

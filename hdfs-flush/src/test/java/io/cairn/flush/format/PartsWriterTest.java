package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.GroupId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One rank's chunks in parts that are written at once. */
@Timeout(60)
class PartsWriterTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("job", "group"), 3, 7);
  private static final int RANK = 4;
  private static final int[] NUMBERS = {1, 2, 3, 5};

  private final MemoryStore store = new MemoryStore("parts");
  private final PartsWriter writer = new PartsWriter(() -> new ContainerWriter(1024));

  private List<ContainerSummary> write(SampleRank rank, int parts) throws IOException {
    return write(store, rank, Collections.nCopies(parts, rank.reader()));
  }

  private List<ContainerSummary> write(
      CheckpointStore to, SampleRank rank, List<ChunkReader> readers) throws IOException {
    return writer.write(to, ID, 9, rank.chunks(), readers);
  }

  private void assertReads(List<ContainerSummary> containers, SampleRank rank, String what)
      throws IOException {
    assertThat(LayeredRank.read(store, ID, RANK, containers))
        .as(what)
        .usingElementComparator(Arrays::compare)
        .isEqualTo(rank.contents());
  }

  /** More parts than chunks, and fewer; each region has a codec of its own. */
  @RepeatedTest(80)
  void anyNumberOfPartsIsReadAsOne(RepetitionInfo info) throws IOException {
    int seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    SampleRank rank = SampleRank.random(RANK, random);
    int parts = NUMBERS[random.nextInt(NUMBERS.length)];
    Compression[] codecs = {Compression.NONE, Compression.LZ4, Compression.ZSTD};
    Map<String, Compression> ofRegions = new HashMap<>();
    rank.images().forEach(image -> ofRegions.put(image.name(), codecs[random.nextInt(3)]));
    RankChunks chunks =
        new RankChunks(RANK, rank.images(), rank.reader(), (r, chunk) -> true, ofRegions);

    List<ContainerSummary> containers =
        writer.write(store, ID, 9, chunks, Collections.nCopies(parts, rank.reader()));

    assertThat(containers).as("seed %d", seed).hasSize(parts);
    assertThat(store.files).as("seed %d", seed).hasSize(parts);
    assertReads(containers, rank, "seed " + seed);
  }

  @Test
  void onePartIsTheContainerOfARankByteForByte() throws IOException {
    SampleRank rank = SampleRank.small(RANK, 1);
    List<ContainerSummary> containers = write(rank, 1);
    MemoryStore other = new MemoryStore("other");

    ContainerSummary whole = new ContainerWriter(1024).write(other, ID, 9, List.of(rank.chunks()));

    assertThat(containers).containsExactly(whole);
    String path = StoreNames.file(ID, StoreNames.container(RANK));
    assertThat(store.content(path)).isEqualTo(other.content(path));
  }

  @Test
  void eachPartHasItsShareOfTheChunks() throws IOException {
    SampleRank rank = SampleRank.of(RANK, 32, new byte[32 * 9]);
    List<ContainerSummary> containers = write(rank, 3);

    assertThat(containers)
        .extracting(ContainerSummary::bytes)
        .containsOnly(containers.get(0).bytes());
    for (int part = 0; part < 3; part++) {
      try (ContainerReader reader = ContainerReader.open(store, ID, containers.get(part))) {
        for (int chunk = 0; chunk < 9; chunk++) {
          assertThat(reader.holds(RANK, 0, chunk)).isEqualTo(chunk % 3 == part);
        }
      }
    }
  }

  @Test
  void partsThatOverlapAreRefused() throws IOException {
    SampleRank rank = SampleRank.small(RANK, 1);
    List<ContainerSummary> containers = new ArrayList<>(write(rank, 2));
    store.files.remove(StoreNames.file(ID, containers.get(1).file()));
    containers.set(
        1,
        new ContainerWriter(1024)
            .write(store, ID, 9, List.of(rank.chunks()), Parts.name(RANK, 1, 2)));

    assertThatThrownBy(() -> RankReader.open(store, ID, RANK, containers))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("2 parts of rank 4 hold chunk 0 of region r0");
  }

  @Test
  void aMissingPartIsNamed() throws IOException {
    List<ContainerSummary> containers = write(SampleRank.small(RANK, 1), 2);

    assertThatThrownBy(() -> RankReader.open(store, ID, RANK, containers.subList(0, 1)))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("no container of rank 4 holds chunk 1 of region r0");
  }

  /** Fails once the other part is whole. */
  @Test
  void aFailedPartTakesTheFinishedOneAlong() {
    SampleRank rank = SampleRank.small(RANK, 1);

    Throwable failure =
        catchThrowable(() -> write(store, rank, List.of(rank.reader(), afterTheFirst("bad disk"))));

    assertThat(failure).isInstanceOf(IOException.class).hasMessage("bad disk");
    assertThat(failure.getSuppressed()).isEmpty();
    assertThat(store.files).isEmpty();
  }

  /** The other part reads its second chunk when the first part has failed. */
  @Test
  void theOtherPartsBreakOffAtTheirNextChunk() {
    SampleRank rank = SampleRank.of(RANK, 32, new byte[32 * 9]);
    CountDownLatch begun = new CountDownLatch(1);
    Thread caller = Thread.currentThread();
    AtomicInteger read = new AtomicInteger();
    ChunkReader bad =
        (region, chunk, into) -> {
          while (begun.getCount() > 0) {
            Thread.onSpinWait();
          }
          throw new IOException("bad disk");
        };
    ChunkReader slow =
        (region, chunk, into) -> {
          begun.countDown();
          while (caller.getState() != Thread.State.WAITING) { // only for this part
            Thread.onSpinWait();
          }
          read.incrementAndGet();
          rank.reader().read(region, chunk, into);
        };

    Throwable failure = catchThrowable(() -> write(store, rank, List.of(bad, slow)));

    assertThat(failure).hasMessage("bad disk");
    assertThat(failure.getSuppressed()).isEmpty();
    assertThat(read).hasValue(1);
    assertThat(store.files).isEmpty();
  }

  /** A caller takes a suppressed failure for files that may be left. */
  @Test
  void theSameFailureOfEveryPartIsThrownAlone() {
    SampleRank rank = SampleRank.small(RANK, 1);
    CountDownLatch all = new CountDownLatch(3);
    ChunkReader unwanted =
        (region, chunk, into) -> {
          all.countDown();
          await(all);
          throw new IOException("given up");
        };

    Throwable failure = catchThrowable(() -> write(store, rank, Collections.nCopies(3, unwanted)));

    assertThat(failure).hasMessage("given up");
    assertThat(failure.getSuppressed()).isEmpty();
    assertThat(store.files).isEmpty();
  }

  @Test
  void aPartThatStaysIsReported() {
    SampleRank rank = SampleRank.small(RANK, 1);
    CheckpointStore sticky = withoutDeletes(store);

    Throwable failure =
        catchThrowable(
            () -> write(sticky, rank, List.of(rank.reader(), afterTheFirst("given up"))));

    assertThat(failure).hasMessage("given up");
    assertThat(failure.getSuppressed()).hasSize(2);
  }

  @Test
  void soManyPartsAreRefused() {
    SampleRank rank = SampleRank.small(RANK, 1);

    assertThatThrownBy(() -> write(rank, Parts.MOST + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("17 parts of " + ID + ": choose 1 to 16");
    assertThatThrownBy(() -> write(rank, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  /** A reader that fails once the first of two parts is synced. */
  private ChunkReader afterTheFirst(String failure) {
    String first = StoreNames.file(ID, Parts.name(RANK, 0, 2));
    return (region, chunk, into) -> {
      while (store.content(first).length == 0) {
        Thread.onSpinWait();
      }
      throw new IOException(failure);
    };
  }

  /** The same store, where each delete fails. */
  private static CheckpointStore withoutDeletes(CheckpointStore below) {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            CheckpointStore.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("delete")) {
                throw new IOException("no answer");
              }
              return method.invoke(below, arguments);
            });
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}

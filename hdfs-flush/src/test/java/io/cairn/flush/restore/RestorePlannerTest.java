package io.cairn.flush.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.LateReader;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.MappedReader;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RestorePlannerTest {
  private static final int HEADER_BYTES = 512;
  private static final int CHUNK_BYTES = 32;
  private static final Member MEMBER = new Member(Written.GROUP, 0, 1);
  private static final CheckpointId ID = Written.id(2, 20);

  private final MemoryStore node = new MemoryStore("node");
  private final MemoryStore store = new MemoryStore("store");
  private final StagingBuffer staging = new StagingBuffer();
  private final RestorePlanner planner =
      new RestorePlanner(
          List.of(new StoreCopies(node, Level.NODE), new StoreCopies(store, Level.STORE)));

  private static String container(CheckpointId id) {
    return StoreNames.file(id, StoreNames.container(0));
  }

  /** Damages chunk number {@code chunk} of the six that a sample has. */
  private static void damage(MemoryStore of, int chunk) {
    int at = chunk < 4 ? chunk * CHUNK_BYTES : 100 + (chunk - 4) * CHUNK_BYTES;
    of.flip(container(ID), 8L * (HEADER_BYTES + at) + 3);
  }

  private void sealBoth() throws IOException {
    Written.sealed(node, ID, 1, Ancestry.NONE);
    Written.sealed(store, ID, 1, Ancestry.NONE);
  }

  private Verification verify() {
    return planner.verify(ID, MEMBER, staging);
  }

  @Test
  void aReadThatMayPassIsToldFromACopyThatIsBad() throws IOException {
    sealBoth();
    RestorePlanner away = new RestorePlanner(List.of(new Away(store)));
    assertThat(away.verify(ID, MEMBER, staging))
        .isInstanceOfSatisfying(
            Verification.Refused.class, refused -> assertThat(refused.retryable()).isTrue());
    damage(node, 0);
    damage(store, 0);
    assertThat(verify())
        .isInstanceOfSatisfying(
            Verification.Refused.class, refused -> assertThat(refused.retryable()).isFalse());
  }

  @Test
  void aDamagedHeaderIsNoReasonToWait() throws IOException {
    sealBoth();
    node.flip(container(ID), 8L * 20);
    store.flip(container(ID), 8L * 20);

    Verification verification = verify();

    assertThat(verification)
        .isInstanceOfSatisfying(
            Verification.Refused.class, refused -> assertThat(refused.retryable()).isFalse());
  }

  private static void assertReads(Verification verification) throws IOException {
    assertThat(verification).isInstanceOf(VerifiedCopy.class);
    try (VerifiedCopy copy = (VerifiedCopy) verification) {
      SampleRank sample = Written.sample(copy.id(), MEMBER.rank());
      assertThat(copy.images()).isEqualTo(sample.images());
      assertThat(copy.bytes()).isEqualTo(164);
      assertThat(SampleRank.readAll(copy.images(), copy.readers().get(0)))
          .usingElementComparator(Arrays::compare)
          .isEqualTo(sample.contents());
    }
  }

  @Test
  void theNearestCopyIsUsed() throws IOException {
    sealBoth();
    Verification verification = verify();
    assertThat(verification.attempts()).containsExactly(new Attempt(ID, Level.NODE, ""));
    assertThat(((VerifiedCopy) verification).level()).isEqualTo(Level.NODE);
    assertReads(verification);
  }

  @Test
  void aBadChunkComesFromTheNextCopy() throws IOException {
    sealBoth();
    damage(node, 3);
    Verification verification = verify();
    assertThat(verification.attempts()).hasSize(2);
    assertThat(verification.attempts().get(0).refusal())
        .startsWith("1 of 6 chunks bad, the first: ")
        .contains("memory:node: region r0, chunk 3 of 4 has CRC32C");
    assertThat(verification.attempts().get(1)).isEqualTo(new Attempt(ID, Level.STORE, ""));
    assertThat(((VerifiedCopy) verification).level()).isEqualTo(Level.STORE);
    assertReads(verification);
  }

  @Test
  void badChunksOfALateCopyComeFromTheNextCopy() throws IOException {
    sealBoth();
    damage(node, 1);
    damage(node, 3);
    Late late = new Late(node);
    RestorePlanner lately = new RestorePlanner(List.of(late, new StoreCopies(store, Level.STORE)));

    Verification verification = lately.verify(ID, MEMBER, staging);

    assertThat(verification.attempts())
        .extracting(Attempt::level)
        .containsExactly(Level.NODE, Level.STORE);
    assertThat(verification.attempts().get(0).refusal()).startsWith("2 of 6 chunks bad");
    assertThat(late.readers).singleElement().extracting(LateReader::mostUnderWay).isEqualTo(4);
    assertReads(verification);
  }

  @Test
  void copiesThatAreBadInDifferentPlacesMakeOneGoodOne() throws IOException {
    sealBoth();
    damage(node, 0);
    damage(node, 1);
    damage(store, 5);
    Verification verification = verify();
    assertThat(verification.attempts())
        .extracting(Attempt::level)
        .containsExactly(Level.NODE, Level.STORE);
    assertReads(verification);
  }

  @Test
  void aTruncatedContainerIsRefusedWhole() throws IOException {
    sealBoth();
    byte[] whole = node.content(container(ID));
    node.files.put(container(ID), Arrays.copyOf(whole, whole.length / 2));
    Verification verification = verify();
    assertThat(verification.attempts())
        .extracting(Attempt::level)
        .containsExactly(Level.NODE, Level.STORE);
    assertThat(verification.attempts().get(0).refusal()).contains("writer-r00000.chunks");
    assertThat(planner.candidates(MEMBER).refused())
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.level()).isEqualTo(Level.NODE);
              assertThat(refused.refusal()).contains("writer-r00000.chunks");
            });
    assertReads(verification);
  }

  @Test
  void aContainerWithADamagedIndexIsRefusedWithFileOffsetAndReason() throws IOException {
    sealBoth();
    node.flip(container(ID), 8L * (HEADER_BYTES + 164 + 20));
    Verification verification = verify();
    assertThat(verification.attempts()).hasSize(2);
    assertThat(verification.attempts().get(0).refusal())
        .contains("memory:node/" + container(ID) + ", offset 676: index is damaged");
    assertReads(verification);
  }

  @Test
  void aChunkThatIsBadEverywhereLeavesTheOlderCheckpoint() throws IOException {
    sealBoth();
    CheckpointId older = Written.id(2, 10);
    Written.sealed(store, older, 1, Ancestry.NONE);
    damage(node, 4);
    damage(store, 4);
    assertThat(planner.candidates(MEMBER).choices())
        .extracting(Plan.Choice::id)
        .containsExactly(ID, older);
    Verification verification = verify();
    assertThat(verification)
        .isInstanceOfSatisfying(
            Verification.Refused.class,
            refused ->
                assertThat(refused.reason())
                    .isEqualTo("no good copy of job/group e2-i20, rank 0, region r2, chunk 0"));
    assertThat(verification.attempts()).extracting(Attempt::used).containsExactly(false, false);
    assertReads(planner.verify(older, MEMBER, staging));
  }

  @Test
  void aCheckpointWithoutACopyIsRefused() throws IOException {
    sealBoth();
    Verification verification = planner.verify(Written.id(2, 21), MEMBER, staging);
    assertThat(verification.attempts()).isEmpty();
    assertThat(verification).isInstanceOf(Verification.Refused.class);
  }

  @Test
  void aCopyOfOtherDataIsNotMixedIn() throws IOException {
    Written.sealed(node, ID, 1, Ancestry.NONE);
    CheckpointId other = Written.id(2, 21);
    MemoryStore elsewhere = new MemoryStore("elsewhere");
    SampleRank stranger = Written.sample(other, 0);
    var container = new ContainerWriter(64).write(elsewhere, ID, 1, List.of(stranger.chunks()));
    elsewhere.files.put(
        StoreNames.file(ID, StoreNames.MANIFEST),
        ManifestCodec.encode(Written.manifest(ID, 1, Ancestry.NONE, List.of(container))));
    damage(node, 0);
    RestorePlanner mixed =
        new RestorePlanner(
            List.of(new StoreCopies(node, Level.NODE), new StoreCopies(elsewhere, Level.STORE)));
    Verification verification = mixed.verify(ID, MEMBER, staging);
    assertThat(verification).isInstanceOf(Verification.Refused.class);
    assertThat(verification.attempts().get(1).refusal())
        .contains("memory:elsewhere holds other regions or checksums than memory:node");
  }

  @Test
  void badCopiesAreNotReadAgain() throws IOException {
    sealBoth();
    damage(node, 2);
    damage(store, 2);
    assertThat(verify()).isInstanceOf(Verification.Refused.class);
    damage(node, 2); // mends it, which nobody can know
    assertThat(verify()).isInstanceOf(Verification.Refused.class);
    RestorePlanner another = new RestorePlanner(List.of(new StoreCopies(node, Level.NODE)));
    assertReads(another.verify(ID, MEMBER, staging));
  }

  @Test
  void aCopyThatGoesBadAfterItWasVerifiedIsLeftForTheNextOne() throws IOException {
    sealBoth();
    RestorePlanner fragile =
        new RestorePlanner(List.of(new Decaying(node), new StoreCopies(store, Level.STORE)));
    assertReads(fragile.verify(ID, MEMBER, staging));
    RestorePlanner alone = new RestorePlanner(List.of(new Decaying(node)));
    try (VerifiedCopy copy = (VerifiedCopy) alone.verify(ID, MEMBER, staging)) {
      ByteBuffer into = ByteBuffer.allocate(200).position(5);
      assertThatThrownBy(() -> copy.readers().get(0).read(0, 0, into))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no good copy of job/group e2-i20, rank 0, region r0, chunk 0");
      assertThat(into.position()).isEqualTo(5);
      assertThat(into.limit()).isEqualTo(200);
    }
  }

  /** Memory for as many chunks as are asked for. */
  private static final class Memory implements Landing, Landing.Landed {
    private List<ByteBuffer> places = List.of();
    private SampleRank landed = SampleRank.small(0, 0);
    private boolean open;
    private int damaged = -1;
    private int lost = -1;

    @Override
    public Optional<Landed> take(List<RegionImage> images) {
      List<ByteBuffer> taken = new ArrayList<>();
      List<byte[]> contents = new ArrayList<>();
      for (RegionImage image : images) {
        byte[] bytes = new byte[(int) image.bytes()];
        contents.add(bytes);
        for (int k = 0; k < image.chunks(); k++) {
          taken.add(ByteBuffer.wrap(bytes, k * image.chunkBytes(), image.chunkLength(k)).slice());
        }
      }
      places = taken;
      landed = new SampleRank(0, contents, images);
      open = true;
      return Optional.of(this);
    }

    @Override
    public ReadAhead arrivals(int[] numbers, Supplier<ByteBuffer> staging) {
      return ReadAhead.into(index -> places.get(numbers[index]).duplicate());
    }

    /** One chunk is damaged on its way, and another one is lost. */
    @Override
    public void put(int number, ByteBuffer bytes) {
      if (number == damaged) {
        bytes.put(0, (byte) ~bytes.get(0));
      }
    }

    @Override
    public ChunkReader reader() {
      return (region, chunk, into) -> {
        if (new ChunkNumbers(landed.images()).of(region, chunk) == lost) {
          throw new IOException("lost by its device");
        }
        landed.reader().read(region, chunk, into);
      };
    }

    @Override
    public void close() {
      open = false;
    }
  }

  @Test
  void chunksThatLandedAreNotReadAgain() throws IOException {
    sealBoth();
    Memory memory = new Memory();
    RestorePlanner once = new RestorePlanner(List.of(new Decaying(node)));

    Verification verification = once.verify(ID, MEMBER, staging, memory);

    assertThat(memory.open).isTrue();
    assertReads(verification);
    assertThat(memory.open).isFalse();
  }

  /** The device that took them is not trusted. */
  @Test
  void chunksThatDidNotLandWellAreReadAgain() throws IOException {
    sealBoth();
    Memory memory = new Memory();
    memory.damaged = 1;
    memory.lost = 2;

    VerifiedCopy copy = (VerifiedCopy) planner.verify(ID, MEMBER, staging, memory);

    assertThat(copy.level()).isEqualTo(Level.NODE);
    assertReads(copy);
  }

  @Test
  void aBadChunkLandsFromTheNextCopy() throws IOException {
    sealBoth();
    damage(node, 3);

    Verification verification = planner.verify(ID, MEMBER, staging, new Memory());

    assertThat(((VerifiedCopy) verification).level()).isEqualTo(Level.STORE);
    assertReads(verification);
  }

  @Test
  void aRefusalGivesTheMemoryBack() throws IOException {
    sealBoth();
    damage(node, 3);
    damage(store, 3);
    Memory memory = new Memory();

    assertThat(planner.verify(ID, MEMBER, staging, memory))
        .isInstanceOf(Verification.Refused.class);

    assertThat(memory.places).isNotEmpty();
    assertThat(memory.open).isFalse();
  }

  private RestorePlanner lanes(Laned nearest) {
    return new RestorePlanner(List.of(nearest, new StoreCopies(store, Level.STORE)), CHUNK_BYTES);
  }

  @Test
  void severalThreadsReadOneCopy() throws IOException {
    sealBoth();
    Laned laned = new Laned(node);

    Verification verification = lanes(laned).verify(ID, MEMBER, staging);

    assertThat(laned.threads).hasSize(Laned.LANES);
    assertThat(((VerifiedCopy) verification).readers()).hasSize(Laned.LANES);
    assertThat(verification.attempts()).containsExactly(new Attempt(ID, Level.NODE, ""));
    assertReads(verification);
  }

  @Test
  void aBadChunkOfAnyLaneComesFromTheNextCopy() throws IOException {
    for (int chunk = 0; chunk < 6; chunk++) {
      sealBoth();
      damage(node, chunk);

      Verification verification = lanes(new Laned(node)).verify(ID, MEMBER, staging, new Memory());

      assertThat(verification.attempts()).hasSize(2);
      assertThat(((VerifiedCopy) verification).level()).isEqualTo(Level.STORE);
      assertReads(verification);
      node.files.clear();
      store.files.clear();
    }
  }

  @Test
  void aChunkThatIsBadEverywhereIsRefusedInAnyLane() throws IOException {
    for (int chunk = 0; chunk < 6; chunk++) {
      sealBoth();
      damage(node, chunk);
      damage(store, chunk);

      Verification verification = lanes(new Laned(node)).verify(ID, MEMBER, staging);

      assertThat(verification)
          .isInstanceOfSatisfying(
              Verification.Refused.class,
              refused -> assertThat(refused.reason()).contains("no good copy"));
      node.files.clear();
      store.files.clear();
    }
  }

  @Test
  void aCopyInMappedMemoryIsComparedThere() throws IOException {
    sealBoth();
    SampleRank sample = Written.sample(ID, MEMBER.rank());
    MappedReader mapped = new MappedReader(sample);
    RestorePlanner near =
        new RestorePlanner(List.of(new Near(node, mapped), new StoreCopies(store, Level.STORE)));

    VerifiedCopy good = (VerifiedCopy) near.verify(ID, MEMBER, staging);
    sample.contents().get(0)[40]++;
    List<Integer> inPlace = new ArrayList<>();
    new ReadAhead(ByteBuffer.allocate(CHUNK_BYTES))
        .forEach(
            new ChunkNumbers(good.images()),
            good.readers().get(0),
            (number, reading, bytes) -> {
              reading.await();
              if (bytes.isReadOnly()) {
                inPlace.add(number);
              }
            });

    assertThat(inPlace).as("but for the chunk that went bad").containsExactly(0, 2, 3, 4, 5);
    assertThat(good.level()).isEqualTo(Level.STORE);
    assertThat(mapped.open()).isZero();
  }

  /** The copies of a store, for tests that change how one is opened. */
  private abstract static class ChangedCopies implements CopySource {
    final StoreCopies below;

    ChangedCopies(MemoryStore store) {
      below = new StoreCopies(store, Level.NODE);
    }

    @Override
    public Level level() {
      return below.level();
    }

    @Override
    public String describe() {
      return below.describe();
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) throws IOException {
      return below.holdings(member);
    }
  }

  /** Copies that several threads read. */
  private static final class Laned extends ChangedCopies {
    static final int LANES = 3;

    final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    Laned(MemoryStore store) {
      super(store);
    }

    @Override
    public int lanes() {
      return LANES;
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
      return below
          .open(id, rank)
          .map(
              copy ->
                  new Copy(
                      copy.describe(),
                      copy.images(),
                      copy.program(),
                      (region, chunk, into) -> {
                        threads.add(Thread.currentThread());
                        copy.reader().read(region, chunk, into);
                      },
                      copy));
    }
  }

  /** A copy in memory, of a store's checkpoint. */
  private static final class Near extends ChangedCopies {
    private final MappedReader mapped;

    Near(MemoryStore store, MappedReader mapped) {
      super(store);
      this.mapped = mapped;
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
      return below
          .open(id, rank)
          .map(copy -> new Copy("memory", copy.images(), copy.program(), mapped, copy));
    }
  }

  /** A copy whose reads end when they are awaited. */
  private static final class Late extends ChangedCopies {
    final List<LateReader> readers = new ArrayList<>();

    Late(MemoryStore store) {
      super(store);
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
      return below.open(id, rank).map(this::late);
    }

    private Copy late(Copy copy) {
      LateReader reader = new LateReader(copy.reader());
      readers.add(reader);
      return new Copy(copy.describe(), copy.images(), copy.program(), reader, copy);
    }
  }

  /** Copies that cannot be read, for a reason that is not theirs. */
  private static final class Away extends ChangedCopies {
    Away(MemoryStore store) {
      super(store);
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
      throw new IOException("connection refused");
    }
  }

  /** Copies each of whose chunks can be read once. */
  private static final class Decaying extends ChangedCopies {
    Decaying(MemoryStore store) {
      super(store);
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
      Set<Long> read = new HashSet<>();
      return below
          .open(id, rank)
          .map(
              copy ->
                  new Copy(
                      copy.describe(),
                      copy.images(),
                      copy.program(),
                      (region, chunk, into) -> {
                        if (!read.add(region * 100L + chunk)) {
                          throw new IOException("evicted");
                        }
                        copy.reader().read(region, chunk, into);
                      },
                      copy));
    }
  }
}

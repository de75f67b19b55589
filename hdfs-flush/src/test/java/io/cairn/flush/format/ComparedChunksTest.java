package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.ChunkReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Chunks whose source still has the older checkpoint, and compares them with it. */
class ComparedChunksTest {
  private static final String FILE = StoreNames.container(0);

  private final MemoryStore store = new MemoryStore("m");
  private final LayeredRank rank = new LayeredRank(0, 1, 8, new SplittableRandom(1));

  private static CheckpointId id(long iteration) {
    return new CheckpointId(new GroupId("job", "group"), 1, iteration);
  }

  /**
   * A source such as a device cache, where the older checkpoint may be gone at the next question.
   */
  @Test
  void aChunkThatTheSourceComparesIsNotRead() throws IOException {
    Base base = rank.writeAside(store, id(1));
    rank.change(3);
    RankChunks chunks = rank.sample().chunks();
    List<Integer> asked = new ArrayList<>();
    List<Integer> read = new ArrayList<>();
    ChunkReader comparing =
        new ChunkReader() {
          @Override
          public void read(int region, int chunk, ByteBuffer bytes) throws IOException {
            read.add(10 * region + chunk);
            chunks.source().read(region, chunk, bytes);
          }

          @Override
          public boolean equalsOlder(CheckpointId older, int region, int chunk) {
            assertThat(older).isEqualTo(id(1));
            asked.add(10 * region + chunk);
            return region == 0 && chunk != 5 && asked.indexOf(chunk) == asked.size() - 1;
          }
        };

    Base next =
        new ContainerWriter(LayeredRank.CHUNK)
            .write(
                store,
                id(2),
                1,
                new RankChunks(0, chunks.images(), comparing),
                FILE,
                new Leaning(Optional.of(base), 8));

    assertThat(asked).doesNotHaveDuplicates().doesNotContain(3);
    assertThat(read).containsExactly(3, 5, 10, 11, 12);
    assertThat(next.containers().get(0).bytes())
        .as("the chunks that could not be compared are hashed")
        .isLessThan(base.containers().get(0).bytes() - 8 * LayeredRank.CHUNK);
    LayeredRank.assertReads(store, id(2), next.containers().get(0), rank.sample());
  }

  /** A device cache that still has an older checkpoint of the rank. */
  private record Cached(SampleRank now, SampleRank before, CheckpointId older)
      implements ChunkReader {
    @Override
    public void read(int region, int chunk, ByteBuffer into) throws IOException {
      now.chunks().source().read(region, chunk, into);
    }

    @Override
    public boolean hasOlder(CheckpointId id) {
      return id.equals(older);
    }

    @Override
    public boolean equalsOlder(CheckpointId id, int region, int chunk) throws IOException {
      return hasOlder(id) && bytes(now, region, chunk).equals(bytes(before, region, chunk));
    }

    private static ByteBuffer bytes(SampleRank sample, int region, int chunk) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(LayeredRank.CHUNK);
      sample.chunks().source().read(region, chunk, bytes);
      return bytes.flip();
    }
  }

  private Base write(long iteration, Base base, ChunkReader source, SampleRank sample)
      throws IOException {
    return new ContainerWriter(LayeredRank.CHUNK)
        .write(
            store,
            id(iteration),
            1,
            new RankChunks(0, sample.images(), source),
            FILE,
            new Leaning(Optional.of(base), 8));
  }

  @Test
  void nothingIsHashedWhileTheBaseIsAtHand() throws IOException {
    SampleRank one = rank.sample();
    Base whole = rank.writeAside(store, id(1));
    rank.change(3);
    SampleRank two = rank.sample();

    Base second = write(2, whole, new Cached(two, one, id(1)), two);
    Base third = write(3, second, new Cached(two, two, id(2)), two);

    assertThat(second.stored(0).hash(3)).as("a chunk that was written").isEmpty();
    assertThat(second.stored(0).hash(4)).isEqualTo(whole.stored(0).hash(4)).isPresent();
    assertThat(third.stored(0).holder(3)).as("left out without any hash").isPositive();
    LayeredRank.assertReads(store, id(3), third.containers().get(0), two);
  }

  /** The base may leave while the chunks are compared, or some lie where nobody compares them. */
  @Test
  void aChunkThatCannotBeComparedIsLeftOutByItsHash() throws IOException {
    Base whole = rank.writeAside(store, id(1));
    SampleRank same = rank.sample();
    rank.change(3);
    SampleRank other = rank.sample();

    Base second = write(2, whole, new Cached(same, other, id(1)), same);

    assertThat(second.stored(0).holder(3)).isPositive();
    LayeredRank.assertReads(store, id(2), second.containers().get(0), same);
  }

  @Test
  void aChunkThatIsWrittenForLackOfAComparisonIsHashed() throws IOException {
    SampleRank one = rank.sample();
    Base whole = rank.writeAside(store, id(1));
    rank.change(3);
    SampleRank two = rank.sample();
    Base second = write(2, whole, new Cached(two, one, id(1)), two);

    Base third = write(3, second, new Cached(two, one, id(2)), two);
    Base fourth = write(4, third, new Cached(two, one, id(3)), two);

    assertThat(third.stored(0).holder(3)).isZero();
    assertThat(third.stored(0).hash(3)).isPresent();
    assertThat(fourth.stored(0).holder(3)).isPositive();
  }

  @Test
  void aChunkWithoutHashIsWrittenOnceTheBaseIsGone() throws IOException {
    SampleRank one = rank.sample();
    Base whole = rank.writeAside(store, id(1));
    rank.change(3);
    SampleRank two = rank.sample();
    Base second = write(2, whole, new Cached(two, one, id(1)), two);

    Base third = write(3, second, two.chunks().source(), two);

    assertThat(third.stored(0).holder(3)).isZero();
    assertThat(third.stored(0).hash(3)).isPresent();
    assertThat(third.stored(0).holder(4)).isPositive();
    LayeredRank.assertReads(store, id(3), third.containers().get(0), two);
  }
}

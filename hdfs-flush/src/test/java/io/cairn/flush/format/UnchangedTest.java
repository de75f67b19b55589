package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.GroupId;
import io.cairn.core.session.Compression;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** A rank of which every third chunk is as in its base, and all checksums are. */
class UnchangedTest {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int MANY = 2 * (int) (Unchanged.LEAST_LANE_BYTES / CHUNK_BYTES);
  private static final GroupId GROUP = new GroupId("job", "run");
  private static final CheckpointId BASE = new CheckpointId(GROUP, 1, 0);
  private static final CheckpointId NEXT = new CheckpointId(GROUP, 1, 1);

  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final AtomicIntegerArray asked = new AtomicIntegerArray(MANY);

  /** Compares without bytes. */
  private final class Thirds implements ChunkReader {
    private final int bad;

    Thirds(int bad) {
      this.bad = bad;
    }

    @Override
    public boolean equalsOlder(CheckpointId older, int region, int chunk) throws IOException {
      assertThat(older).isEqualTo(BASE);
      threads.add(Thread.currentThread());
      asked.incrementAndGet(chunk);
      if (chunk == bad) {
        throw new IOException("the device is gone");
      }
      return chunk % 3 == 0;
    }

    @Override
    public void read(int region, int chunk, ByteBuffer into) throws IOException {
      throw new IOException("nothing is read");
    }
  }

  private Unchanged unchanged(int chunks, int bad) throws IOException {
    SampleRank sample = SampleRank.of(0, CHUNK_BYTES, new byte[chunks * CHUNK_BYTES]);
    ContainerWriter writer = new ContainerWriter(CHUNK_BYTES, Compression.NONE);
    Base base =
        writer.write(
            new MemoryStore("memory"),
            BASE,
            1,
            sample.chunks(),
            Layout.container(0),
            new Leaning(Optional.empty(), 8));
    RankChunks rank = new RankChunks(0, sample.images(), new Thirds(bad));
    return new Unchanged(
        rank,
        new ChunkNumbers(rank.images()),
        new References(new Leaning(Optional.of(base), 8), NEXT, rank));
  }

  @Test
  void manyChunksAreComparedOnceEachOnTwoThreads() throws Exception {
    Unchanged unchanged = unchanged(MANY, -1);

    unchanged.compareMany();

    for (int chunk = 0; chunk < MANY; chunk++) {
      assertThat(unchanged.contains(chunk)).as("chunk %d", chunk).isEqualTo(chunk % 3 == 0);
      assertThat(asked.get(chunk)).as("chunk %d", chunk).isOne();
    }
    assertThat(threads).hasSize(Math.min(2, Runtime.getRuntime().availableProcessors()));
  }

  @Test
  void fewChunksAreComparedWhenTheyAreWritten() throws Exception {
    Unchanged unchanged = unchanged(MANY - 1, -1);

    unchanged.compareMany();

    assertThat(asked.get(0)).isZero();
    assertThat(unchanged.contains(0)).isTrue();
    assertThat(unchanged.contains(0)).isTrue();
    assertThat(asked.get(0)).isOne();
  }

  @Test
  void aFailureOfEitherThreadIsThatOfTheWriter() throws Exception {
    for (int bad : new int[] {0, MANY - 1}) {
      Unchanged unchanged = unchanged(MANY, bad);

      assertThatThrownBy(
              () -> {
                unchanged.compareMany();
                unchanged.contains(bad);
              })
          .isInstanceOf(IOException.class)
          .hasMessage("the device is gone");
    }
  }
}

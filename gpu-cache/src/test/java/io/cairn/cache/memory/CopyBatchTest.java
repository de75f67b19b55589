package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Chunks of a batch, and the runs that they form. */
class CopyBatchTest {
  private static final int CHUNK_BYTES = 8;

  private record Chunk(CaptureSource source, long offset, DeviceAddress target) {}

  private static HostMemory memory() {
    return HostMemory.of(new byte[100 * CHUNK_BYTES]);
  }

  private static DeviceAddress at(long offset, long bytes) {
    return new DeviceAddress(7, offset, bytes);
  }

  /** Mostly the neighbour of the last chunk, sometimes shorter, elsewhere, or of another source. */
  private static Chunk next(Random random, List<HostMemory> sources, Chunk last) {
    int bytes = random.nextInt(4) == 0 ? random.nextInt(CHUNK_BYTES + 3) : CHUNK_BYTES;
    boolean jumps = random.nextInt(5) == 0;
    CaptureSource source = random.nextInt(5) == 0 ? sources.get(random.nextInt(2)) : last.source;
    long offset = jumps ? random.nextInt(50) : last.offset + last.target.bytes();
    long target =
        random.nextInt(5) == 0
            ? last.target.offset() + 1000
            : last.target.offset() + last.target.bytes();
    return new Chunk(source, offset, at(target, bytes));
  }

  @RepeatedTest(200)
  void runsAreTheChunksInTheirOrder(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<HostMemory> sources = List.of(memory(), memory());
    List<Chunk> chunks = new ArrayList<>();
    chunks.add(new Chunk(sources.get(0), 0, at(16, CHUNK_BYTES)));
    for (int i = random.nextInt(40); i > 0; i--) {
      chunks.add(next(random, sources, chunks.get(chunks.size() - 1)));
    }
    CopyBatch batch = new CopyBatch(chunks.size());
    chunks.forEach(chunk -> batch.add(chunk.source, chunk.offset, chunk.target));

    List<Chunk> found = new ArrayList<>();
    List<Chunk> ofRuns = new ArrayList<>();
    for (int i = 0; i < batch.chunks(); i++) {
      found.add(new Chunk(batch.source(i), batch.sourceOffset(i), batch.target(i)));
    }
    for (int number = 0; number < batch.runs(); number++) {
      add(batch.run(number), ofRuns);
    }
    assertThat(found).as("seed %d", repetition.getCurrentRepetition()).isEqualTo(chunks);
    assertThat(ofRuns).as("seed %d", repetition.getCurrentRepetition()).isEqualTo(chunks);
    assertThat(batch.bytes()).isEqualTo(chunks.stream().mapToLong(one -> one.target.bytes()).sum());
  }

  @RepeatedTest(200)
  void aDividedRunHasTheSameChunks(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    int chunks = 1 + random.nextInt(9);
    int last = 1 + random.nextInt(CHUNK_BYTES);
    int length = 1 + random.nextInt(6 * CHUNK_BYTES);
    DeviceAddress target = at(random.nextInt(99), (chunks - 1) * (long) CHUNK_BYTES + last);
    CopyBatch.Run run = new CopyBatch.Run(memory(), 3, target, 0, chunks, CHUNK_BYTES);

    List<Chunk> expected = new ArrayList<>();
    List<Chunk> found = new ArrayList<>();
    add(run, expected);
    for (CopyBatch.Run part : run.dividedAt(length)) {
      add(part, found);
      DeviceAddress there = part.target();
      boolean crosses = there.offset() % length + there.bytes() > length;
      assertThat(crosses && part.chunks() > 1).as("%s of %d in %s", part, length, run).isFalse();
    }
    assertThat(found).as("seed %d", repetition.getCurrentRepetition()).isEqualTo(expected);
  }

  private static void add(CopyBatch.Run run, List<Chunk> chunks) {
    assertThat(run.first()).isEqualTo(chunks.size());
    for (int i = 0; i < run.chunks(); i++) {
      CopyBatch.Run part = run.part(i, i + 1);
      assertThat(part.first()).isEqualTo(run.first() + i);
      assertThat(part.target()).isEqualTo(run.target().slice(run.start(i), run.length(i)));
      assertThat(part.sourceOffset()).isEqualTo(run.sourceOffset() + run.start(i));
      chunks.add(new Chunk(run.source(), part.sourceOffset(), part.target()));
    }
  }

  @Test
  void contiguousMemoryIsOneRun() {
    HostMemory source = memory();
    CopyBatch batch = new CopyBatch(3);
    batch.add(source, 4, at(40, 8)).add(source, 12, at(48, 8)).add(source, 20, at(56, 3));

    assertThat(batch.runs()).isEqualTo(1);
    assertThat(batch.run(0)).isEqualTo(new CopyBatch.Run(source, 4, at(40, 19), 0, 3, 8));
  }

  @Test
  void whatDoesNotFitIsRefused() {
    CopyBatch batch = CopyBatch.of(memory(), 0, at(0, 8));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> batch.add(memory(), 0, at(8, 8)));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> CopyBatch.of(memory(), 99 * CHUNK_BYTES + 1, at(0, CHUNK_BYTES)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.add(memory(), 0, new DeviceAddress(8, 8, 8)));
  }
}

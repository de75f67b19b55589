package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.memory.cuda.Chunks.Chunk;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The comparing kernel against a plain loop. */
class CompareKernelTest {
  private static final int DIFFERS = 1;
  private static final int NOT_ZERO = 2;

  @RepeatedTest(60)
  void findsOneChangedBitAnywhere(RepetitionInfo repetition) {
    int seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    try (Chunks chunks = Chunks.of(seed);
        GuardedMemory flags = zeros(chunks.count())) {
      for (Chunk chunk : chunks.list()) {
        chunk.target().put(random.nextBoolean() ? chunk.content() : changed(random, chunk));
      }

      chunks.launch("cairn_differs", flags.address());

      for (int i = 0; i < chunks.count(); i++) {
        assertThat(flags.word(i)).as(chunks.name(i)).isEqualTo(expected(chunks.list().get(i)));
      }
      flags.assertNothingBesideItChanged("the flags");
      chunks.assertSourcesAndMarginsAreIntact();
    }
  }

  @Test
  void aChunkWithoutTargetIsComparedWithZeroAlone() {
    byte[] last = new byte[70_003];
    last[70_002] = 1;
    try (Chunks chunks = Chunks.of(1, List.of(last, new byte[70_003], new byte[0]), false);
        GuardedMemory flags = zeros(chunks.count())) {
      chunks.launch("cairn_differs", flags.address());

      assertThat(List.of(flags.word(0), flags.word(1), flags.word(2)))
          .containsExactly(NOT_ZERO, 0, 0);
    }
  }

  @Test
  void thousandsOfChunksShareALaunch() {
    Random random = new Random(1);
    List<byte[]> contents =
        IntStream.range(0, 3000).mapToObj(i -> Chunks.content(random, i % 70)).toList();
    try (Chunks chunks = Chunks.of(1, contents, false);
        GuardedMemory flags = zeros(chunks.count())) {
      chunks.launchOn(33, "cairn_differs", flags.address());

      for (int i = 0; i < chunks.count(); i++) {
        byte[] content = contents.get(i);
        int expected = Arrays.equals(content, new byte[content.length]) ? 0 : NOT_ZERO;
        assertThat(flags.word(i)).as(chunks.name(i)).isEqualTo(expected);
      }
    }
  }

  private static byte[] changed(Random random, Chunk chunk) {
    byte[] changed = chunk.content().clone();
    if (changed.length > 0) {
      int at = random.nextBoolean() ? changed.length - 1 : random.nextInt(changed.length);
      changed[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    return changed;
  }

  private static int expected(Chunk chunk) {
    int differs = Arrays.equals(chunk.content(), chunk.target().get()) ? 0 : DIFFERS;
    int zero = Arrays.equals(chunk.content(), new byte[chunk.content().length]) ? 0 : NOT_ZERO;
    return differs | zero;
  }

  private static GuardedMemory zeros(int words) {
    int bytes = words * Integer.BYTES;
    return GuardedMemory.atEnd(bytes).put(new byte[bytes]);
  }
}

package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cache.memory.cuda.Chunks.Chunk;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The sorting kernels against plain loops. */
class ShuffleKernelTest {
  static Stream<Arguments> widthsAndSeeds() {
    return Stream.of(4, 8, 1, 2, 3, 5, 12, 16)
        .flatMap(
            width ->
                IntStream.rangeClosed(1, width == 4 || width == 8 ? 30 : 6)
                    .mapToObj(seed -> Arguments.of(width, seed)));
  }

  @ParameterizedTest
  @MethodSource("widthsAndSeeds")
  void sortsBytesByTheirPlace(int width, int seed) {
    try (Chunks chunks = Chunks.of(seed)) {
      chunks.launch("cairn_shuffle", width);

      for (int i = 0; i < chunks.count(); i++) {
        Chunk chunk = chunks.list().get(i);
        assertThat(chunk.target().get())
            .as("width %d, %s", width, chunks.name(i))
            .isEqualTo(sorted(chunk.content(), width));
      }
      chunks.assertSourcesAndMarginsAreIntact();
    }
  }

  @ParameterizedTest
  @MethodSource("widthsAndSeeds")
  void putsBytesBack(int width, int seed) {
    try (Chunks drawn = Chunks.of(seed)) {
      List<byte[]> contents = drawn.list().stream().map(Chunk::content).toList();
      List<byte[]> planes = contents.stream().map(content -> sorted(content, width)).toList();
      try (Chunks chunks = Chunks.of(seed, planes, true)) {
        chunks.launch("cairn_unshuffle", width);

        for (int i = 0; i < chunks.count(); i++) {
          assertThat(chunks.list().get(i).target().get())
              .as("width %d, %s", width, chunks.name(i))
              .isEqualTo(contents.get(i));
        }
        chunks.assertSourcesAndMarginsAreIntact();
      }
    }
  }

  private static byte[] sorted(byte[] content, int width) {
    byte[] sorted = content.clone();
    int elements = content.length / width;
    for (int i = 0; i < elements * width; i++) {
      sorted[i % width * elements + i / width] = content[i];
    }
    return sorted;
  }
}

package io.cairn.lab.bench.collaborative;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlayedStateTest {
  private static final int CHUNK_BYTES = 37;

  @Test
  void everyChunkIsAnother() {
    Set<ByteBuffer> seen = new HashSet<>();
    for (long iteration = 0; iteration < 3; iteration++) {
      for (int rank = 0; rank < 3; rank++) {
        for (int chunk = 0; chunk < 3; chunk++) {
          ByteBuffer bytes = ByteBuffer.allocate(CHUNK_BYTES);
          new PlayedState(iteration, rank).fill(chunk, bytes);
          assertThat(seen.add(bytes)).as("%d/%d/%d", iteration, rank, chunk).isTrue();
        }
      }
    }
  }

  @Test
  void aCheckpointIsItsChunks() {
    PlayedState state = new PlayedState(5, 6);
    ByteBuffer all = ByteBuffer.allocate(2 * CHUNK_BYTES + 3);
    state.fillAll(CHUNK_BYTES, all);
    for (int chunk = 0; chunk < 3; chunk++) {
      int length = Math.min(CHUNK_BYTES, all.capacity() - chunk * CHUNK_BYTES);
      ByteBuffer one = ByteBuffer.allocate(length);
      state.fill(chunk, one);
      assertThat(all.slice(chunk * CHUNK_BYTES, length)).isEqualTo(one);
    }
  }
}

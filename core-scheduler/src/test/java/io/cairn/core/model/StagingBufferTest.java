package io.cairn.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class StagingBufferTest {
  private final StagingBuffer staging = new StagingBuffer();

  private static RegionImage image(long bytes, int chunkBytes) {
    return new RegionImage(
        "state", bytes, chunkBytes, new int[RegionImage.chunks(bytes, chunkBytes)]);
  }

  @Test
  void itHasRoomForTheLongestChunkAndNoMore() {
    ByteBuffer bytes =
        staging.forChunksOf(List.of(image(0, 4096), image(100, 4096), image(5000, 512)));

    assertThat(bytes.capacity()).isEqualTo(512);
    assertThat(bytes.isDirect()).isTrue();
  }

  @Test
  void itIsMadeAgainForLongerChunksOnly() {
    ByteBuffer first = staging.forChunksOf(List.of(image(100, 64)));

    assertThat(staging.forChunksOf(List.of(image(100, 32)))).isSameAs(first);
    assertThat(staging.forChunksOf(List.of(image(100, 128))).capacity()).isEqualTo(100);
  }

  @Test
  void nothingIsAllocatedForEmptyRegions() {
    assertThat(staging.forChunksOf(List.of(image(0, 4096))).capacity()).isZero();
  }
}

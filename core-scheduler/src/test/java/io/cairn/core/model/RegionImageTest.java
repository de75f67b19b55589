package io.cairn.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionImageTest {
  @ParameterizedTest
  @CsvSource({"0,4,0", "1,4,1", "4,4,1", "5,4,2", "8,4,2", "5000000000,4194304,1193"})
  void countsChunks(long bytes, int chunkBytes, int chunks) {
    assertThat(RegionImage.chunks(bytes, chunkBytes)).isEqualTo(chunks);
  }

  @RepeatedTest(50)
  void chunksTileTheRegion(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    int chunkBytes = 1 + random.nextInt(1 << 20);
    long bytes = random.nextInt(1 << 26);
    RegionImage image = image(bytes, chunkBytes, new int[RegionImage.chunks(bytes, chunkBytes)]);
    long sum = 0;
    for (int k = 0; k < image.chunks(); k++) {
      assertThat(image.chunkLength(k)).as("seed %d, chunk %d", seed, k).isBetween(1, chunkBytes);
      sum += image.chunkLength(k);
    }
    assertThat(sum).as("seed %d", seed).isEqualTo(bytes);
  }

  @Test
  void lastChunkBeyondTwoGigabytes() {
    RegionImage image = image(5_000_000_000L, 4 << 20, new int[1193]);
    assertThat(image.chunkLength(1191)).isEqualTo(4 << 20);
    assertThat(image.chunkLength(1192)).isEqualTo(5_000_000_000L - 1192L * (4 << 20));
  }

  @Test
  void refusesShapesThatDoNotFit() {
    assertThatThrownBy(() -> image(5, 4, new int[1])).hasMessageContaining("1 chunks of 4");
    assertThatThrownBy(() -> image(-1, 4, new int[0])).hasMessageContaining("-1 bytes");
    assertThatThrownBy(() -> image(5, 0, new int[1])).hasMessageContaining("chunks of 0");
  }

  /** Sizes of a damaged index give an error that names the region, and no overflow. */
  @ParameterizedTest
  @CsvSource({"9223372036854775807,4194304", "9223372036854775807,1", "9007199254740992,4194304"})
  void refusesMoreChunksThanCanBe(long bytes, int chunkBytes) {
    assertThatThrownBy(() -> image(bytes, chunkBytes, new int[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("region weights");
  }

  @Test
  void keepsItsOwnCopyOfTheChecksums() {
    int[] checksums = {1, 2};
    RegionImage image = image(8, 4, checksums);
    checksums[0] = 9;
    assertThat(image.checksum(0)).isEqualTo(1);
  }

  @Test
  void isEqualByValue() {
    RegionImage image = image(8, 4, new int[] {1, 2});
    assertThat(image).isEqualTo(image(8, 4, new int[] {1, 2}));
    assertThat(image).hasSameHashCodeAs(image(8, 4, new int[] {1, 2}));
    assertThat(image).isNotEqualTo(image(8, 4, new int[] {1, 3}));
    assertThat(image).isNotEqualTo(image(7, 4, new int[] {1, 2}));
    assertThat(image).hasToString("weights (8 bytes, 2 chunks)");
  }

  private static RegionImage image(long bytes, int chunkBytes, int[] checksums) {
    return new RegionImage("weights", bytes, chunkBytes, checksums);
  }
}

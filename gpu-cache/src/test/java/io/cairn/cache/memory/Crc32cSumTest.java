package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class Crc32cSumTest {
  @Test
  void theSumOfPartsIsTheChecksumOfAll() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      byte[] bytes = CopyContract.random(seed, random.nextInt(100_000));
      int cut = random.nextInt(bytes.length + 1);

      int sum =
          Crc32cSum.of(
              CopyContract.crc(bytes, 0, cut),
              CopyContract.crc(bytes, cut, bytes.length - cut),
              bytes.length - cut);

      assertThat(sum).as("seed %d", seed).isEqualTo(CopyContract.crc(bytes, 0, bytes.length));
    }
  }

  /** Two halves of n bytes are n bytes and n more, whatever n. */
  @Test
  void noLengthIsTooLong() {
    int one = 0x12345678;
    for (long bytes = 1; bytes < 1L << 59; bytes *= 3) {
      int twice = Crc32cSum.of(Crc32cSum.of(one, 0, bytes), 0, bytes);
      assertThat(Crc32cSum.of(one, 0, 2 * bytes)).as("%d bytes", bytes).isEqualTo(twice);
    }
  }
}

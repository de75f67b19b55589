package io.cairn.flush.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteShuffleTest {
  @Test
  void bytesOfOnePlaceLieSideBySideAndTheRestFollows() {
    ByteBuffer elements = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 11, 12, 13, 14, 99});
    ByteBuffer planes = ByteBuffer.allocate(9);

    ByteShuffle.shuffle(elements, 9, 4, planes);

    assertThat(planes.array()).containsExactly(1, 11, 2, 12, 3, 13, 4, 14, 99);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void restoringGivesTheElementsAgainOfEveryLength(int elementBytes) {
    SplittableRandom random = new SplittableRandom(elementBytes);
    for (int bytes = 0; bytes < 300; bytes++) {
      ByteBuffer chunk = SampleBytes.RANDOM.direct(bytes, random);
      ByteBuffer planes = ByteBuffer.allocateDirect(bytes);
      ByteBuffer into = ByteBuffer.allocate(bytes + 10).position(7).limit(7 + bytes);

      ByteShuffle.shuffle(chunk, bytes, elementBytes, planes);
      ByteShuffle.restore(planes, elementBytes, into);

      assertThat(into).as("%d bytes", bytes).isEqualTo(chunk);
    }
  }
}

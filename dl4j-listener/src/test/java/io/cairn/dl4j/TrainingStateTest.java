package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.session.RestoreException;
import io.cairn.dl4j.TrainingState.IteratorPosition;
import io.cairn.dl4j.TrainingState.RandomState;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The bytes of a training's state. */
class TrainingStateTest {
  /** Two versions: a configuration that the training changed, or the one that it built. */
  private static TrainingState state(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return new TrainingState(
        random.nextBoolean(),
        random.nextInt(0, Integer.MAX_VALUE),
        random.nextInt(0, Integer.MAX_VALUE),
        random.nextInt(0, Integer.MAX_VALUE),
        random.nextBoolean()
            ? IteratorPosition.UNKNOWN
            : new IteratorPosition(random.nextInt(0, 99), random.nextInt(0, 99)),
        new RandomState(random.nextLong(), random.nextLong()),
        random.nextInt(1, 200),
        random.nextBoolean() ? "" : "{\"confs\" : [" + seed + "]}");
  }

  @RepeatedTest(20)
  void bytesGiveTheStateBack(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    TrainingState state = state(seed);
    assertThat(TrainingState.decode(state.encode())).as("seed %d", seed).isEqualTo(state);
  }

  @Test
  void otherLengthsAreRefused() {
    byte[] bytes = state(1).under("").encode();
    assertThatThrownBy(() -> TrainingState.decode(Arrays.copyOf(bytes, bytes.length - 1)))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("67 bytes");
    assertThatThrownBy(() -> TrainingState.decode(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("offset 68");
  }

  @Test
  void aConfigurationNeedsItsVersion() {
    byte[] bytes = state(1).under("{}").encode();
    assertThatThrownBy(() -> TrainingState.decode(Arrays.copyOf(bytes, bytes.length - 2)))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("configuration of 0 bytes");
  }

  @Test
  void otherVersionsAreRefused() {
    byte[] bytes = state(1).encode();
    bytes[4] = 3;
    assertThatThrownBy(() -> TrainingState.decode(bytes))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("version 3");
  }

  @Test
  void impossibleCountersAreRefused() {
    byte[] bytes = state(1).encode();
    bytes[16] = -1;
    assertThatThrownBy(() -> TrainingState.decode(bytes))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("epoch")
        .hasMessageContaining("offset 16");
  }
}

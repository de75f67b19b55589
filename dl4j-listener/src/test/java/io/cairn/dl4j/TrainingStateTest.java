package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.RestoreException;
import io.cairn.dl4j.TrainingState.IteratorPosition;
import io.cairn.dl4j.TrainingState.ModelParts;
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
        random.nextBoolean(),
        random.nextInt(0, Integer.MAX_VALUE),
        random.nextInt(0, Integer.MAX_VALUE),
        random.nextInt(0, Integer.MAX_VALUE),
        random.nextBoolean()
            ? IteratorPosition.UNKNOWN
            : new IteratorPosition(random.nextInt(0, 99), random.nextInt(0, 99)),
        new RandomState(
            random.nextLong(), random.nextLong(), random.nextBoolean(), random.nextDouble()),
        random.nextInt(1, 200),
        new ModelParts(
            random.nextBoolean() ? "" : "{\"confs\" : [" + seed + "]}",
            bytes(random),
            bytes(random),
            bytes(random)),
        bytes(random),
        bytes(random));
  }

  private static Bytes bytes(SplittableRandom random) {
    byte[] content = new byte[random.nextInt(4)];
    random.nextBytes(content);
    return Bytes.of(content);
  }

  @RepeatedTest(20)
  void bytesGiveTheStateBack(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    TrainingState state = state(seed);
    assertThat(TrainingState.decode(state.encode())).as("seed %d", seed).isEqualTo(state);
  }

  /** As earlier releases wrote it, which had no mark of rounds. */
  @Test
  void theIterationCounterIsThatOfTheModel() {
    byte[] bytes = state(1).encode();
    bytes[7] = 0;
    TrainingState own = TrainingState.decode(bytes);
    assertThat(own.iterations()).isEqualTo(own.iteration() + 1);
    bytes[7] = 1;
    assertThat(TrainingState.decode(bytes).iterations()).isEqualTo(own.epochMinibatches());
  }

  /** Checkpoints of the release before the trace of the data. */
  @RepeatedTest(5)
  void aStateWithoutATraceIsRead(RepetitionInfo repetition) {
    TrainingState state = state(repetition.getCurrentRepetition());
    byte[] bytes = state.encode();
    byte[] before = Arrays.copyOf(bytes, bytes.length - Integer.BYTES - state.data().size());
    before[4] = 4;

    TrainingState read = TrainingState.decode(before);

    assertThat(read.minibatch()).isEmpty();
    assertThat(read.with(state.model())).isEqualTo(read);
    assertThat(bytes).startsWith(Arrays.copyOf(before, 4)).hasSizeGreaterThan(before.length);
  }

  @RepeatedTest(5)
  void otherLengthsAreRefused(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    byte[] bytes = state(seed).encode();

    for (int length = 0; length <= bytes.length + 1; length++) {
      byte[] other = Arrays.copyOf(bytes, length);
      if (length != bytes.length) {
        assertThatThrownBy(() -> TrainingState.decode(other))
            .as("seed %d, %d of %d bytes", seed, length, bytes.length)
            .isInstanceOf(RestoreException.class)
            .hasMessageContaining("offset");
      }
    }
  }

  @Test
  void aPartOfImpossibleLengthIsRefused() {
    byte[] bytes = state(1).encode();
    bytes[76] = 0x7f;
    assertThatThrownBy(() -> TrainingState.decode(bytes))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("offset 76");
  }

  @Test
  void otherVersionsAreRefused() {
    byte[] bytes = state(1).encode();
    bytes[4] = 2;
    assertThatThrownBy(() -> TrainingState.decode(bytes))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("version 2");
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

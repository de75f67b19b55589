package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Outcome;
import io.cairn.RestoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Loops that programs drive themselves. */
class CairnListenerTest {
  private static final int EPOCHS = 2;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  /** A user's loop over the minibatches; resumes at the position that the listener restored. */
  private static void loop(MultiLayerNetwork model, CairnListener listener, int iterations) {
    TestData.Shuffling data = TestData.shuffling();
    for (int k = 0; k < model.getEpochCount(); k++) {
      data.reset();
    }
    for (long k = 0; k < listener.epochMinibatches(); k++) {
      data.next();
    }
    while (model.getEpochCount() < EPOCHS && model.getIterationCount() < iterations) {
      while (data.hasNext() && model.getIterationCount() < iterations) {
        model.fit(data.next());
      }
      if (!data.hasNext()) {
        model.incrementEpochCount();
        data.reset();
      }
    }
  }

  private Digest train(int iterations) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    CairnListener listener = new CairnListener(checkpoints.join());
    listener.restore(model);
    model.setListeners(listener);
    loop(model, listener, iterations);
    return ModelDigest.of(model);
  }

  private static Digest undisturbed() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    loop(model, new CairnListener(new MemoryCheckpoints().join()), Integer.MAX_VALUE);
    return ModelDigest.of(model);
  }

  /** The constraint binds at every iteration, and the capture comes before it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 7})
  void goesOnBitForBit(int iterations) {
    train(iterations);
    assertThat(checkpoints.checkpoints.lastKey().iteration()).isEqualTo(iterations - 1);
    // as in a process that died before it ended the epoch
    Nd4j.getRandom().setSeed(99);
    assertThat(train(Integer.MAX_VALUE)).isEqualTo(undisturbed());
  }

  @Test
  void theCheckpointIsFromBeforeTheConstraints() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(new CairnListener(checkpoints.join()));
    model.fit(TestData.shuffling().next());

    CheckpointId id = checkpoints.checkpoints.lastKey();
    Map<String, byte[]> image = Objects.requireNonNull(checkpoints.checkpoints.get(id));
    byte[] captured = Objects.requireNonNull(image.get(ModelRegions.PARAMETERS));
    byte[] state = Objects.requireNonNull(image.get(ModelRegions.STATE));

    assertThat(TrainingState.decode(state)).matches(TrainingState::constraintsDue);
    assertThat(captured).hasSameSizeAs(bytes(model.params())).isNotEqualTo(bytes(model.params()));
  }

  private static byte[] bytes(INDArray flat) {
    ByteBuffer bytes =
        ByteBuffer.allocate((int) flat.length() * Float.BYTES).order(ByteOrder.nativeOrder());
    bytes.asFloatBuffer().put(flat.toFloatVector());
    return bytes.array();
  }

  @Test
  void troubleDoesNotReachTheTraining() {
    MemoryCheckpointer checkpointer = checkpoints.join();
    checkpointer.capture =
        i -> {
          if (i == 1) {
            throw new IllegalStateException("the cache is closed");
          }
          return i == 2 ? new Outcome.Failed("device lost") : new Outcome.Skipped("no room");
        };
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    CairnListener listener = new CairnListener(checkpointer);
    model.setListeners(listener);
    loop(model, new CairnListener(new MemoryCheckpoints().join()), Integer.MAX_VALUE);
    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed());
    assertThat(listener.statistics().failed()).isEqualTo(2);
    assertThat(listener.statistics().skipped()).isEqualTo(EPOCHS * TestData.MINIBATCHES - 2);
  }

  @Test
  void truncatedBackpropagationIsRefusedAtRestoreAndNotCaptured() {
    MultiLayerNetwork model = TestNets.truncatedBackpropagation();
    model.init();
    CairnListener listener = new CairnListener(checkpoints.join());
    assertThatThrownBy(() -> listener.restore(model))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("CairnTraining");
    model.setListeners(listener);
    model.fit(TestData.series(), 1);
    assertThat(checkpoints.checkpoints).isEmpty();
  }

  @Test
  void aSecondModelIsNotMixedIn() {
    CairnListener listener = new CairnListener(checkpoints.join());
    MultiLayerNetwork first = TestNets.adam();
    listener.restore(first);
    assertThatThrownBy(() -> listener.restore(TestNets.adam()))
        .isInstanceOf(IllegalStateException.class);
    MultiLayerNetwork second = TestNets.adam();
    second.init();
    second.setListeners(listener);
    second.fit(TestData.shuffling().next());
    assertThat(checkpoints.checkpoints).isEmpty();
  }

  /** A program may give a copy of the model the same listeners. */
  @Test
  void anotherModelLeavesTheCheckpointsOfTheFirstAlone() {
    CairnListener listener = new CairnListener(checkpoints.join());
    MultiLayerNetwork model = TestNets.plain();
    listener.restore(model);
    model.setListeners(listener);
    TestData.Shuffling data = TestData.shuffling();
    model.fit(data.next());
    MultiLayerNetwork copy = model.clone();
    copy.setListeners(listener);
    copy.fit(data.next());
    copy.fit(data.next());
    assertThat(listener.epochMinibatches()).isEqualTo(1);

    model.fit(data.next());

    listener.awaitCaptured();
    assertThat(listener.epochMinibatches()).isEqualTo(2);
    assertThat(listener.statistics().captured()).isEqualTo(2);
    assertThat(checkpoints.checkpoints.lastKey().iteration()).isEqualTo(1);
  }

  @Test
  void aCheckpointOfATrainingIsRestoredIfItsDataAreAccepted() {
    MultiLayerNetwork trained = TestNets.adam();
    try (CairnTraining run =
        CairnTraining.resume(trained, TestData.shuffling(), checkpoints.join())) {
      run.fit(1);
    }
    MultiLayerNetwork model = TestNets.adam();
    assertThatThrownBy(() -> new CairnListener(checkpoints.join()).restore(model))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("data");
    MemoryCheckpointer accepting = checkpoints.join();
    accepting.accepted.add("data");
    CairnListener listener = new CairnListener(accepting);
    assertThat(listener.restore(model)).isPresent();
    assertThat(ModelDigest.of(model)).isEqualTo(ModelDigest.of(trained));
    assertThat(listener.epochMinibatches()).isEqualTo(TestData.MINIBATCHES);
  }
}

package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Digest;
import io.cairn.RestoreException;
import java.util.concurrent.atomic.AtomicReference;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.factory.Nd4j;

/** Roll-backs in a living process, such as after a NaN: training goes on to the same bits. */
class RollBackTest {
  private static final int EPOCHS = 3;
  private static final int BAD = 6;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  private static final class BadStepException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Spoils the parameters once, and ends fit() as a program does that notices a NaN. */
  private static BaseTrainingListener spoilOnce() {
    return new BaseTrainingListener() {
      private boolean spoiled;

      @Override
      public void iterationDone(Model model, int iteration, int epoch) {
        if (iteration == BAD && !spoiled) {
          spoiled = true;
          model.params().assign(Double.NaN);
          throw new BadStepException();
        }
      }
    };
  }

  private static Digest undisturbed() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.fit(TestData.shuffling(), EPOCHS);
    return ModelDigest.of(model);
  }

  /** Into the same epoch, to its first minibatch, and into the one before. */
  @ParameterizedTest
  @ValueSource(ints = {6, 5, 4, 2})
  void aTrainingRollsBackBitForBit(int before) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(spoilOnce());
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      assertThatThrownBy(() -> run.fit(EPOCHS)).isInstanceOf(BadStepException.class);

      assertThat(run.rollBackBefore(before, TestData.shuffling()))
          .get()
          .matches(report -> report.id().iteration() == before - 1);
      assertThat(model.getIterationCount()).isEqualTo(before);
      run.fit(EPOCHS);
    }

    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed());
  }

  @Test
  void aTrainingRollsBackRepeatedly() {
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.fit(1);
      assertThat(run.rollBackBefore(3, TestData.shuffling())).isPresent();
      run.fit(2);
      model.setLearningRate(0.5);
      assertThat(run.rollBackBefore(5, TestData.shuffling())).isPresent();
      run.fit(EPOCHS);
    }

    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed());
  }

  @Test
  void aTrainingWithoutSuchACheckpointStaysAsItIs() {
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.fit(1);
      assertThat(run.rollBackBefore(0, TestData.shuffling())).isEmpty();
      run.fit(EPOCHS);
    }

    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed());
  }

  @Test
  void aRollBackInTheMiddleOfAnIterationIsRefused() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    AtomicReference<CairnTraining> training = new AtomicReference<>();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model done, int iteration, int epoch) {
            if (iteration == BAD) {
              training.get().rollBackBefore(BAD, TestData.shuffling());
            }
          }
        });
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      training.set(run);

      assertThatThrownBy(() -> run.fit(EPOCHS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("middle of an iteration")
          .hasMessageContaining("end fit()");
    }
  }

  /** A loop over minibatches, which the program positions by the listener's counters. */
  private static void loop(MultiLayerNetwork model, CairnListener listener, int iterations) {
    TestData.Shuffling data = TestData.shuffling();
    for (int k = 0; k < model.getEpochCount(); k++) {
      data.reset();
    }
    for (long k = 0; k < listener.epochMinibatches(); k++) {
      data.next();
    }
    while (model.getIterationCount() < iterations) {
      if (!data.hasNext()) {
        model.incrementEpochCount();
        data.reset();
      }
      model.fit(data.next());
    }
  }

  private static Digest undisturbedLoop() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    loop(model, new CairnListener(new MemoryCheckpoints().join()), 2 * BAD);
    return ModelDigest.of(model);
  }

  @Test
  void aListenerRollsBackBitForBitAndRepeatedly() {
    MultiLayerNetwork model = TestNets.adam();
    CairnListener listener = new CairnListener(checkpoints.join());
    listener.restore(model);
    model.setListeners(listener);
    for (int before : new int[] {BAD, 2, 5}) {
      loop(model, listener, BAD + 1);
      model.params().assign(Double.NaN);
      Nd4j.getRandom().setSeed(99);
      assertThat(listener.rollBackBefore(before)).isPresent();
      assertThat(model.getIterationCount()).isEqualTo(before);
    }
    loop(model, listener, 2 * BAD);

    assertThat(ModelDigest.of(model)).isEqualTo(undisturbedLoop());
  }

  @Test
  void aRestoreByTheCheckpointerItselfSetsCountersAndGenerator() {
    MemoryCheckpointer checkpointer = checkpoints.join();
    MultiLayerNetwork model = TestNets.adam();
    CairnListener listener = new CairnListener(checkpointer);
    listener.restore(model);
    model.setListeners(listener);
    loop(model, listener, BAD + 1);
    Nd4j.getRandom().setSeed(99);

    checkpointer.restoreBefore(TestData.MINIBATCHES + 1);
    // the first minibatch of the second epoch is trained
    assertThat(model.getIterationCount()).isEqualTo(TestData.MINIBATCHES + 1);
    assertThat(listener.epochMinibatches()).isEqualTo(1);
    loop(model, listener, 2 * BAD);

    assertThat(ModelDigest.of(model)).isEqualTo(undisturbedLoop());
  }

  @Test
  void aRestoreByTheCheckpointerInTheMiddleOfAnIterationIsNoticed() {
    MemoryCheckpointer checkpointer = checkpoints.join();
    MultiLayerNetwork model = TestNets.adam();
    CairnListener listener = new CairnListener(checkpointer);
    listener.restore(model);
    model.setListeners(
        listener,
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model done, int iteration, int epoch) {
            if (iteration == BAD) {
              checkpointer.restoreBefore(BAD);
            }
          }
        });

    assertThatThrownBy(() -> loop(model, listener, 2 * BAD))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("middle of an iteration");
  }

  @Test
  void aListenerWithoutAModelCannotRollBack() {
    CairnListener listener = new CairnListener(checkpoints.join());

    assertThatThrownBy(() -> listener.rollBackBefore(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("restore(model)");
  }
}

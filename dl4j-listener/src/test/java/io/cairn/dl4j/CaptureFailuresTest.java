package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.Outcome;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;

/** A training ends as without checkpoints, whatever their outcome, and failures are counted. */
class CaptureFailuresTest {
  private static final int ITERATIONS = 2 * TestData.MINIBATCHES;

  private CaptureStatistics train(Consumer<MemoryCheckpointer> trouble) {
    MemoryCheckpointer checkpointer = new MemoryCheckpoints().join();
    trouble.accept(checkpointer);
    MultiLayerNetwork model = TestNets.adam();
    CaptureStatistics statistics;
    try (CairnTraining run = CairnTraining.resume(model, TestData.shuffling(), checkpointer)) {
      run.fit(2);
      statistics = run.statistics();
    }
    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed());
    assertThat(checkpointer.closed).isTrue();
    return statistics;
  }

  private static Digest undisturbed() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.fit(TestData.shuffling(), 2);
    return ModelDigest.of(model);
  }

  @Test
  void skipsAreCounted() {
    CaptureStatistics statistics =
        train(c -> c.capture = i -> i == 3 ? new Outcome.Skipped("no room") : captured());
    assertThat(statistics.skipped()).isEqualTo(1);
    assertThat(statistics.captured()).isEqualTo(ITERATIONS - 1);
  }

  @Test
  void failuresAreCounted() {
    CaptureStatistics statistics = train(c -> c.capture = i -> new Outcome.Failed("device lost"));
    assertThat(statistics.failed()).isEqualTo(ITERATIONS);
    assertThat(statistics.captured()).isZero();
  }

  @Test
  void exceptionsAreCounted() {
    CaptureStatistics statistics =
        train(
            c ->
                c.capture =
                    i -> {
                      throw new IllegalStateException("the cache is closed");
                    });
    assertThat(statistics.failed()).isEqualTo(ITERATIONS);
    assertThat(statistics.stall().count()).isEqualTo(ITERATIONS);
  }

  @Test
  void aCancellationEndsTheTraining() {
    MemoryCheckpointer checkpointer = new MemoryCheckpoints().join();
    checkpointer.capture =
        i -> {
          throw new CancellationException("the task was killed");
        };
    MultiLayerNetwork model = TestNets.adam();
    CairnTraining run = CairnTraining.resume(model, TestData.shuffling(), checkpointer);
    assertThatThrownBy(() -> run.fit(2)).isInstanceOf(CancellationException.class);
    assertThat(model.getIterationCount()).isEqualTo(1);
  }

  @Test
  void aCaptureThatIsNotDueIsNoFailure() {
    CaptureStatistics statistics =
        train(c -> c.capture = i -> i % 2 == 0 ? captured() : new Outcome.NotDue(Level.DEVICE));
    assertThat(statistics.captured()).isEqualTo(ITERATIONS / 2);
    assertThat(statistics.failed()).isZero();
  }

  @Test
  void nothingIsCapturedAfterAFence() {
    CaptureStatistics statistics =
        train(c -> c.capture = i -> i == 2 ? new Outcome.Fenced("epoch 2") : captured());
    assertThat(statistics.fenced()).isTrue();
    assertThat(statistics.captured()).isEqualTo(2);
    assertThat(statistics.stall().count()).isEqualTo(3);
  }

  @Test
  void aFenceAtASealEndsCapturingToo() {
    CaptureStatistics statistics =
        train(
            c ->
                c.seal =
                    i -> i == 2 ? new Outcome.Fenced("epoch 2") : new Outcome.Sealed(Level.STORE));
    assertThat(statistics.fenced()).isTrue();
    assertThat(statistics.captured()).isEqualTo(3);
    assertThat(statistics.sealed()).containsEntry(Level.STORE, 2L).containsEntry(Level.NODE, 0L);
  }

  @Test
  void aRestoreAfterAFenceCapturesAgain() {
    MemoryCheckpointer checkpointer = new MemoryCheckpoints().join();
    checkpointer.seal =
        i -> i == 2 && checkpointer.epoch() == 1 ? new Outcome.Fenced("epoch 2") : sealed();
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run = CairnTraining.resume(model, TestData.shuffling(), checkpointer)) {
      run.fit(1);
      assertThat(run.statistics().fenced()).isTrue();

      assertThat(run.rejoin(TestData.shuffling())).isPresent();
      run.fit(2);

      assertThat(run.statistics().fenced()).isFalse();
      assertThat(run.statistics().captured()).isEqualTo(ITERATIONS);
    }
    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed());
  }

  @Test
  void aFailedSealIsNoFailedCapture() {
    CaptureStatistics statistics = train(c -> c.seal = i -> new Outcome.Failed("store is full"));
    assertThat(statistics.captured()).isEqualTo(ITERATIONS);
    assertThat(statistics.failed()).isZero();
    assertThat(statistics.sealed()).containsEntry(Level.STORE, 0L);
  }

  private static MultiLayerNetwork changedBy(IntFunction<Optional<IUpdater>> updaterOfEpoch) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void onEpochEnd(Model ended) {
            updaterOfEpoch
                .apply(model.getEpochCount())
                .ifPresent(
                    updater -> {
                      model.getLayerWiseConfigurations().getConfs().stream()
                          .map(NeuralNetConfiguration::getLayer)
                          .filter(BaseLayer.class::isInstance)
                          .forEach(layer -> ((BaseLayer) layer).setIUpdater(updater));
                      model.setUpdater(null);
                    });
          }
        });
    return model;
  }

  @Test
  void anUpdaterOfAnotherKindIsNotCaptured() {
    MemoryCheckpoints checkpoints = new MemoryCheckpoints();
    MultiLayerNetwork model = changedBy(epoch -> Optional.of(new Nesterovs(0.01)));

    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.fit(2);
      assertThat(run.statistics().captured()).isEqualTo(TestData.MINIBATCHES);
      assertThat(run.statistics().failed()).isEqualTo(TestData.MINIBATCHES);
    }

    assertThat(model.getEpochCount()).isEqualTo(2);
  }

  @Test
  void anUpdaterOfTheFirstKindIsCapturedAgain() {
    MemoryCheckpoints checkpoints = new MemoryCheckpoints();
    MultiLayerNetwork model =
        changedBy(epoch -> Optional.of(epoch == 0 ? new Nesterovs(0.01) : new Adam(0.02)));

    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.fit(3);
      assertThat(run.statistics().captured()).isEqualTo(2 * TestData.MINIBATCHES);
    }

    assertThat(checkpoints.checkpoints.lastKey().iteration())
        .isEqualTo(3 * TestData.MINIBATCHES - 1);
  }

  /** Drops the updater after an iteration, so that DL4J makes another one for the next. */
  private static MultiLayerNetwork dropping(int at, int death) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model done, int iteration, int epoch) {
            if (iteration == death) {
              throw new IllegalStateException("dies");
            }
            if (iteration == at) {
              model.setUpdater(null);
            }
          }
        });
    return model;
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5, 11})
  void aDroppedUpdaterIsCapturedAsTheNextOne(int death) {
    int drop = 2;
    MultiLayerNetwork alone = dropping(drop, -1);
    alone.fit(TestData.shuffling(), 3);
    MemoryCheckpoints checkpoints = new MemoryCheckpoints();
    CairnTraining dies =
        CairnTraining.resume(dropping(drop, death), TestData.shuffling(), checkpoints.join());
    assertThatThrownBy(() -> dies.fit(3)).hasMessage("dies");
    assertThat(checkpoints.checkpoints).hasSize(death);

    MultiLayerNetwork model = dropping(drop, -1);
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.fit(3);
    }

    assertThat(ModelDigest.of(model)).isEqualTo(ModelDigest.of(alone));
  }

  private static Outcome sealed() {
    return new Outcome.Sealed(Level.STORE);
  }

  private static Outcome captured() {
    return new Outcome.Captured(0);
  }
}

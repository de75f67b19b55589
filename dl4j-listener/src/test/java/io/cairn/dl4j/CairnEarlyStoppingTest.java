package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.RestoreException;
import io.cairn.dl4j.StoppingTrainings.KeptNetworks;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.EarlyStoppingModelSaver;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.earlystopping.EarlyStoppingResult.TerminationReason;
import org.deeplearning4j.earlystopping.saver.InMemoryModelSaver;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.EpochTerminationCondition;
import org.deeplearning4j.earlystopping.termination.IterationTerminationCondition;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.earlystopping.trainer.EarlyStoppingTrainer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.factory.Nd4j;

/** An early stopping that dies anywhere yields the result of the undisturbed one. */
class CairnEarlyStoppingTest {
  @TempDir Path temporary;

  private MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Counts the iterations of one process, and dies in one of them. */
  private static final class Counting extends BaseTrainingListener {
    private final int deadly;
    int count;

    Counting(int deadly) {
      this.deadly = deadly;
    }

    @Override
    public void iterationDone(Model model, int iteration, int epoch) {
      count++;
      if (iteration == deadly) {
        throw new DeathException();
      }
    }
  }

  private interface Training<T extends Model> {
    String run(
        EarlyStoppingModelSaver<T> saver,
        MemoryCheckpointer checkpointer,
        BaseTrainingListener listener);
  }

  private static <T extends Model> String undisturbed(Training<T> training) {
    return training.run(new KeptNetworks<>(), new MemoryCheckpoints().join(), new Counting(-1));
  }

  private <T extends Model> void resumes(Training<T> training, int... deaths) {
    String expected = undisturbed(training);
    KeptNetworks<T> saver = new KeptNetworks<>();
    for (int death : deaths) {
      assertThatThrownBy(() -> training.run(saver, checkpoints.join(), new Counting(death)))
          .isInstanceOf(DeathException.class);
      // another process has another generator state
      Nd4j.getRandom().setSeed(4711);
    }
    Counting counting = new Counting(-1);
    assertThat(training.run(saver, checkpoints.join(), counting)).isEqualTo(expected);
    assertThat(counting.count).isPositive();

    Counting none = new Counting(-1);
    assertThat(training.run(saver, checkpoints.join(), none)).isEqualTo(expected);
    assertThat(none.count).isZero();
  }

  /** With four minibatches per epoch, 7 is the last of an epoch, and 8 follows its evaluation. */
  @ParameterizedTest
  @ValueSource(ints = {7, 8})
  void layersEndLikeUndisturbed(int death) {
    resumes(StoppingTrainings::layers, death);
  }

  @Test
  void layersEndLikeUndisturbedAfterSeveralDeaths() {
    resumes(StoppingTrainings::layers, 3, 9, 12, 17);
  }

  @Test
  void aGraphEndsLikeUndisturbed() {
    resumes(StoppingTrainings::graph, 8, 21);
  }

  /** DL4J resets the data before the first epoch. */
  @Test
  void theResultIsThatOfDl4jsTrainer() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    EarlyStoppingResult<MultiLayerNetwork> dl4j =
        new EarlyStoppingTrainer(
                configuration(new InMemoryModelSaver<>()), model, TestData.shuffling())
            .fit();
    MultiLayerNetwork own = TestNets.adam();
    TestData.Shuffling data = TestData.shuffling();
    data.reset();
    try (CairnEarlyStopping<MultiLayerNetwork> run =
        CairnEarlyStopping.resume(
            configuration(new KeptNetworks<>()), own, data, checkpoints.join())) {
      EarlyStoppingResult<MultiLayerNetwork> result = run.fit();
      assertThat(result.getTerminationReason()).isEqualTo(dl4j.getTerminationReason());
      assertThat(result.getTerminationDetails()).isEqualTo(dl4j.getTerminationDetails());
      assertThat(result.getScoreVsEpoch()).isEqualTo(dl4j.getScoreVsEpoch());
      assertThat(result.getTotalEpochs()).isEqualTo(dl4j.getTotalEpochs());
      assertThat(result.getBestModelEpoch())
          .isEqualTo(dl4j.getBestModelEpoch())
          .isBetween(1, result.getTotalEpochs() - 2);
      assertThat(result.getBestModelScore())
          .isEqualTo(result.getScoreVsEpoch().get(result.getBestModelEpoch()));
      assertThat(result.getBestModel().params()).isEqualTo(dl4j.getBestModel().params());
      assertThat(own.params()).isEqualTo(model.params());
    }
  }

  private static EarlyStoppingConfiguration<MultiLayerNetwork> configuration(
      EarlyStoppingModelSaver<MultiLayerNetwork> saver) {
    return StoppingTrainings.configuration(
        saver,
        new DataSetLossCalculator(StoppingTrainings.validation(), true),
        StoppingTrainings.conditions());
  }

  /** Ends the training after some iterations of all processes. */
  private static final class AfterIterations implements IterationTerminationCondition {
    private static final long serialVersionUID = 1;

    private final MultiLayerNetwork model;
    private final int most;

    AfterIterations(MultiLayerNetwork model, int most) {
      this.model = model;
      this.most = most;
    }

    @Override
    public void initialize() {
      // the model counts
    }

    @Override
    public boolean terminate(double score) {
      return model.getIterationCount() >= most;
    }

    @Override
    public String toString() {
      return "AfterIterations(" + most + ")";
    }
  }

  private KeptNetworks<MultiLayerNetwork> iterationsSaver = new KeptNetworks<>();

  private String untilIteration(int most, AtomicInteger trained) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model own, int iteration, int epoch) {
            trained.incrementAndGet();
          }
        });
    EarlyStoppingConfiguration<MultiLayerNetwork> configuration = configuration(iterationsSaver);
    configuration.setIterationTerminationConditions(List.of(new AfterIterations(model, most)));
    try (CairnEarlyStopping<MultiLayerNetwork> run =
        CairnEarlyStopping.resume(configuration, model, TestData.shuffling(), checkpoints.join())) {
      EarlyStoppingResult<MultiLayerNetwork> result = run.fit();
      assertThat(result.getTerminationReason())
          .isEqualTo(TerminationReason.IterationTerminationCondition);
      assertThat(result.getTotalEpochs()).isEqualTo((most - 1) / TestData.MINIBATCHES);
      return StoppingTrainings.text(result, model);
    }
  }

  /** In the middle of an epoch, after its last minibatch, and before any evaluation. */
  @ParameterizedTest
  @ValueSource(ints = {6, 8, 3})
  void aConditionOnIterationsEndsTheTrainingOnce(int most) {
    AtomicInteger trained = new AtomicInteger();
    String first = untilIteration(most, trained);
    assertThat(trained).hasValue(most);

    assertThat(untilIteration(most, trained)).isEqualTo(first);
    assertThat(trained).hasValue(most);
  }

  private static String epochs(
      int most, EarlyStoppingModelSaver<MultiLayerNetwork> saver, MemoryCheckpointer checkpointer) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    try (CairnEarlyStopping<MultiLayerNetwork> run =
        CairnEarlyStopping.resume(
            StoppingTrainings.configuration(
                saver,
                new DataSetLossCalculator(StoppingTrainings.validation(), true),
                new MaxEpochsTerminationCondition(most)),
            model,
            TestData.shuffling(),
            checkpointer)) {
      return StoppingTrainings.text(run.fit(), model);
    }
  }

  @Test
  void anEndedTrainingGoesOnWithAnotherConditionOnEpochs() {
    String expected = epochs(4, new KeptNetworks<>(), new MemoryCheckpoints().join());
    KeptNetworks<MultiLayerNetwork> saver = new KeptNetworks<>();
    String ended = epochs(2, saver, checkpoints.join());
    Nd4j.getRandom().setSeed(4711);
    assertThat(epochs(2, saver, checkpoints.join())).isEqualTo(ended);

    assertThat(epochs(4, saver, checkpoints.join())).isEqualTo(expected);
    assertThat(epochs(3, saver, checkpoints.join())).isEqualTo(expected);
  }

  /** In the middle of an epoch, and after its last minibatch, which it was not evaluated after. */
  @ParameterizedTest
  @ValueSource(ints = {6, 8})
  void anEndedTrainingGoesOnWithAnotherConditionOnIterations(int first) {
    AtomicInteger trained = new AtomicInteger();
    untilIteration(first, trained);
    Nd4j.getRandom().setSeed(4711);
    String gone = untilIteration(11, trained);
    assertThat(trained).hasValue(11);

    checkpoints = new MemoryCheckpoints();
    iterationsSaver = new KeptNetworks<>();
    assertThat(gone).isEqualTo(untilIteration(11, new AtomicInteger()));
  }

  /** Ends the training at once, and has no name of its own. */
  private static final class AtOnce implements IterationTerminationCondition {
    private static final long serialVersionUID = 1;

    @Override
    public void initialize() {
      // nothing is remembered
    }

    @Override
    public boolean terminate(double score) {
      return true;
    }
  }

  @Test
  void aConditionWithoutANameOfItsOwnEndsTheTrainingOnce() {
    for (int start = 0; start < 2; start++) {
      MultiLayerNetwork model = TestNets.adam();
      EarlyStoppingConfiguration<MultiLayerNetwork> configuration = configuration(iterationsSaver);
      configuration.setIterationTerminationConditions(List.of(new AtOnce()));
      try (CairnEarlyStopping<MultiLayerNetwork> run =
          CairnEarlyStopping.resume(
              configuration, model, TestData.shuffling(), checkpoints.join())) {
        run.fit();
      }
      assertThat(model.getIterationCount()).isEqualTo(1);
    }
  }

  @Test
  void aSaverThatEndsWithTheProcessIsRefused() {
    MemoryCheckpointer checkpointer = checkpoints.join();
    EarlyStoppingConfiguration<MultiLayerNetwork> forgetful =
        new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
            .modelSaver(new InMemoryModelSaver<>())
            .scoreCalculator(new DataSetLossCalculator(StoppingTrainings.validation(), true))
            .epochTerminationConditions(new MaxEpochsTerminationCondition(2))
            .build();
    assertThatThrownBy(
            () ->
                CairnEarlyStopping.resume(
                    forgetful, TestNets.adam(), TestData.shuffling(), checkpointer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("CairnModelSaver");
    assertThat(checkpointer.closed).isTrue();
  }

  @Test
  void aSaverOfAnotherTrainingIsNoticed() throws IOException {
    try (CairnModelSaver<MultiLayerNetwork> saver = CairnModelSaver.ofLowest(temporary.toFile())) {
      MultiLayerNetwork better = TestNets.adam();
      better.init();
      saver.saveBestModel(better, 1e-6);
      assertThatThrownBy(
              () -> StoppingTrainings.layers(saver, checkpoints.join(), new Counting(-1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("directory of its own");
    }
  }

  /** Ends a training after as many evaluations as it was asked. */
  private static final class AfterScores implements EpochTerminationCondition {
    private static final long serialVersionUID = 1;

    private int asked;

    @Override
    public void initialize() {
      asked = 0;
    }

    @Override
    public boolean terminate(int epoch, double score, boolean minimize) {
      return ++asked >= 4;
    }

    @Override
    public String toString() {
      return "after four scores";
    }
  }

  @Test
  void conditionsSeeTheScoresOfEarlierProcesses() {
    Training<MultiLayerNetwork> counting =
        (saver, checkpointer, listener) -> {
          MultiLayerNetwork model = TestNets.adam();
          model.init();
          model.setListeners(listener);
          try (CairnEarlyStopping<MultiLayerNetwork> run =
              CairnEarlyStopping.resume(
                  StoppingTrainings.configuration(
                      saver,
                      new DataSetLossCalculator(StoppingTrainings.validation(), true),
                      new AfterScores()),
                  model,
                  TestData.shuffling(),
                  checkpointer)) {
            return StoppingTrainings.text(run.fit(), model);
          }
        };
    resumes(counting, 9);
  }

  /** An epoch that scores otherwise when it is repeated, such as with other threads. */
  @Test
  void aSaverIsAheadAfterALostCheckpoint() throws IOException {
    try (CairnModelSaver<MultiLayerNetwork> saver = CairnModelSaver.ofLowest(temporary.toFile())) {
      assertThatThrownBy(() -> StoppingTrainings.layers(saver, checkpoints.join(), new Counting(9)))
          .isInstanceOf(DeathException.class);
      MultiLayerNetwork better = TestNets.adam();
      better.init();
      saver.saveBestModel(better, 1e-6);

      String result = StoppingTrainings.layers(saver, checkpoints.join(), new Counting(-1));

      assertThat(result).contains(ModelDigest.of(better).toString());
    }
  }

  @Test
  void anEndedTrainingIsNotTrainedAgainByTheSameProcess() {
    MultiLayerNetwork model = TestNets.adam();
    try (CairnEarlyStopping<MultiLayerNetwork> run =
        CairnEarlyStopping.resume(
            configuration(new KeptNetworks<>()), model, TestData.shuffling(), checkpoints.join())) {
      var first = run.fit();
      int iterations = model.getIterationCount();

      assertThat(run.fit().getScoreVsEpoch()).isEqualTo(first.getScoreVsEpoch());
      assertThat(model.getIterationCount()).isEqualTo(iterations);
    }
  }

  @Test
  void aProcessThatIsKilledLosesNothing() throws IOException, InterruptedException {
    String expected = undisturbed(StoppingTrainings::layers);
    try (ChildProcess first = process(10)) {
      first.await(StoppingTrainings.WAITS);
      first.kill();
    }
    try (ChildProcess second = process(-1)) {
      assertThat(second.await(StoppingTrainings.RESULT)).isEqualTo(expected);
    }
  }

  private ChildProcess process(int deadly) throws IOException {
    return Command.java(StoppingTrainings.class, temporary, deadly).small(512).start();
  }

  @Test
  void bytesGiveTheHistoryBack() {
    StoppingHistory open =
        new StoppingHistory(Map.of(), Optional.empty()).with(0, Double.NaN).with(2, 0.5);
    StoppingHistory ended = open.ended(TerminationReason.EpochTerminationCondition, "now", 3);

    for (StoppingHistory history : List.of(StoppingHistory.NONE, open, ended)) {
      assertThat(StoppingHistory.decode(history.encode())).isEqualTo(history);
    }
    byte[] bytes = open.encode();
    for (int length = 0; length < bytes.length; length++) {
      byte[] shorter = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> StoppingHistory.decode(shorter))
          .as("%d bytes", length)
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("region early-stopping");
    }
    bytes[10] = 1;
    assertThatThrownBy(() -> StoppingHistory.decode(bytes))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("scores");
  }
}

package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.training.LastResort;
import io.cairn.training.RollBack;
import io.cairn.training.TroubleException;
import io.cairn.training.TroubleGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Sgd;

/** Trainings that get into trouble, and roll back by themselves. */
class TroubleGuardTest {
  private static final int EPOCHS = 8;
  private static final int ITERATIONS = EPOCHS * TestData.MINIBATCHES;

  /** Fewer losses say nothing about a finite one. */
  private static final int LEAST = 10;

  /** An exponent bit, which makes a weight of about 1 a huge one. */
  private static final int EXPONENT_BIT = 30;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  /** Strikes the model once after some iterations, before their checkpoints are taken. */
  private static BaseTrainingListener afterIteration(int at, Consumer<Model> blow) {
    return new BaseTrainingListener() {
      private boolean struck;

      @Override
      public void iterationDone(Model model, int iteration, int epoch) {
        if (iteration == at && !struck) {
          struck = true;
          blow.accept(model);
        }
      }
    };
  }

  private static void flip(INDArray flat, long index) {
    int bits = Float.floatToRawIntBits(flat.getFloat(index));
    flat.putScalar(index, Float.intBitsToFloat(bits ^ (1 << EXPONENT_BIT)));
  }

  /** The data, of which some minibatches are replaced as they are read. */
  private static final class Changed extends TestData.Shuffling {
    private static final long serialVersionUID = 1;

    private final transient BiFunction<Integer, DataSet, Stream<DataSet>> change;
    private final transient List<DataSet> pass = new ArrayList<>();
    private int place;
    private int next;

    /** Receives each minibatch with its place among those of all passes. */
    Changed(BiFunction<Integer, DataSet, Stream<DataSet>> change) {
      super(TestData.minibatches(0));
      this.change = change;
    }

    @Override
    public synchronized boolean hasNext() {
      for (int k = 0; super.hasNext(); k++) {
        change.apply(place + k, super.next()).forEach(pass::add);
      }
      return next < pass.size();
    }

    @Override
    public synchronized DataSet next() {
      return hasNext() ? pass.get(next++) : super.next();
    }

    @Override
    public synchronized void reset() {
      super.reset();
      place += TestData.MINIBATCHES;
      pass.clear();
      next = 0;
    }
  }

  private static DataSet spoiled(DataSet sound) {
    // DL4J reads minibatches within a workspace, whose memory it uses again
    INDArray features = sound.getFeatures().dup().detach();
    return new DataSet(features.assign(Double.NaN), sound.getLabels());
  }

  /** Data whose minibatches at these places of all passes are NaN, at every reading. */
  private static Changed spoiledAt(Set<Integer> places) {
    return changed(places, sound -> Stream.of(spoiled(sound)));
  }

  /** The same data without the minibatches at these places. */
  private static Changed without(Set<Integer> places) {
    return changed(places, sound -> Stream.empty());
  }

  private static Changed changed(Set<Integer> places, Function<DataSet, Stream<DataSet>> change) {
    return new Changed(
        (place, sound) -> places.contains(place) ? change.apply(sound) : Stream.of(sound));
  }

  private static Digest undisturbed() {
    return undisturbed(TestData.shuffling());
  }

  private static Digest undisturbed(TestData.Shuffling data) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.fit(data, EPOCHS);
    return ModelDigest.of(model);
  }

  private static List<Long> restoredIterations(CairnTraining run) {
    return run.rollBacks().stream().map(back -> back.restored().iteration()).toList();
  }

  /** A weight whose exponent flips changes the loss at once: no layer saturates. */
  private static MultiLayerNetwork linear() {
    return TestNets.hidden(new Adam(0.02), Activation.IDENTITY);
  }

  private static Digest undisturbedLinear() {
    MultiLayerNetwork model = linear();
    model.init();
    model.fit(TestData.shuffling(), EPOCHS);
    return ModelDigest.of(model);
  }

  @Test
  void aFlippedWeightAfterItsCheckpointIsTrainedAgainBitForBit() {
    MultiLayerNetwork model = linear();
    MemoryCheckpointer checkpointer = checkpoints.join();
    int at = 5 * TestData.MINIBATCHES;
    Changed striking =
        new Changed(
            (place, minibatch) -> {
              if (place == at) {
                checkpointer.awaitCaptured();
                flip(model.params(), 0);
              }
              return Stream.of(minibatch);
            });
    try (CairnTraining run = CairnTraining.resume(model, striking, checkpointer)) {
      run.guardedBy(TroubleGuard.DEFAULT, TestData::shuffling).fit(EPOCHS);

      assertThat(restoredIterations(run)).containsExactly(at - 1L);
      assertThat(run.rollBacks().get(0))
          .matches(back -> back.iteration() == at)
          .matches(back -> back.took().toNanos() > 0 && back.remedy().isEmpty());
    }

    assertThat(ModelDigest.of(model)).isEqualTo(undisturbedLinear());
  }

  /** Seeded weights and iterations. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void aFlipWithinItsCheckpointGoesBackToTheOneBefore(long seed) {
    Random random = new Random(seed);
    int at = LEAST + random.nextInt(ITERATIONS - LEAST - 2);
    int weight = random.nextInt(TestNets.INPUTS);
    MultiLayerNetwork model = linear();
    model.init();
    model.setListeners(afterIteration(at, hit -> flip(hit.params(), weight)));
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.guardedBy(TroubleGuard.DEFAULT, TestData::shuffling).fit(EPOCHS);

      assertThat(restoredIterations(run))
          .as("seed %d, iteration %d, weight %d", seed, at, weight)
          .containsExactly((long) at, at - 1L);
    }

    assertThat(ModelDigest.of(model)).as("seed %d", seed).isEqualTo(undisturbedLinear());
  }

  @Test
  void aTroubledIterationIsNeverCaptured() {
    MemoryCheckpointer checkpointer = checkpoints.join();
    Set<Long> captured = new HashSet<>();
    checkpointer.capture =
        iteration -> {
          captured.add(iteration);
          return new Outcome.Captured(0);
        };
    int bad = 9;
    try (CairnTraining run =
        CairnTraining.resume(TestNets.adam(), spoiledAt(Set.of(bad)), checkpointer)) {
      run.guardedBy(TroubleGuard.DEFAULT, () -> spoiledAt(Set.of(bad)));

      assertThatThrownBy(() -> run.fit(EPOCHS)).isInstanceOf(TroubleException.class);
    }

    assertThat(captured).contains(bad - 1L).doesNotContain((long) bad);
  }

  @Test
  void troubleOfTheDataEndsTheTrainingAfterTheTries() {
    Set<Integer> bad = Set.of(9);
    try (CairnTraining run =
        CairnTraining.resume(TestNets.adam(), spoiledAt(bad), checkpoints.join())) {
      run.guardedBy(TroubleGuard.DEFAULT.withTries(2), () -> spoiledAt(bad));

      assertThatThrownBy(() -> run.fit(EPOCHS))
          .isInstanceOf(TroubleException.class)
          .hasMessageContaining("iteration 9 has loss NaN")
          .hasMessageContaining("e1-i8 at STORE, e1-i7 at STORE")
          .hasMessageContaining("minibatch");
      assertThat(restoredIterations(run)).containsExactly(8L, 7L);
    }
  }

  @Test
  void troubleWithoutACheckpointEndsTheTraining() {
    Set<Integer> bad = Set.of(0);
    try (CairnTraining run =
        CairnTraining.resume(TestNets.adam(), spoiledAt(bad), checkpoints.join())) {
      run.guardedBy(TroubleGuard.DEFAULT, () -> spoiledAt(bad));

      assertThatThrownBy(() -> run.fit(EPOCHS))
          .isInstanceOf(TroubleException.class)
          .hasMessageContaining("no older checkpoint")
          .hasMessageContaining("no checkpoint.");
      assertThat(run.rollBacks()).isEmpty();
    }
  }

  /** The first of a pass, two in a row, and the last of all. */
  @ParameterizedTest
  @ValueSource(strings = {"9", "8", "13 14", "9 21", "31"})
  void leavingOutBadMinibatchesEqualsATrainingWithoutThem(String places) {
    Set<Integer> bad = new HashSet<>();
    for (String place : places.split(" ", -1)) {
      bad.add(Integer.parseInt(place));
    }
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run = CairnTraining.resume(model, spoiledAt(bad), checkpoints.join())) {
      run.guardedBy(
          TroubleGuard.DEFAULT.withTries(2).withLastResort(new LastResort.SkipMinibatches(1)),
          () -> spoiledAt(bad));
      run.fit(EPOCHS);

      assertThat(run.rollBacks()).last().matches(back -> back.remedy().contains("left out"));
    }

    assertThat(model.getIterationCount()).isEqualTo(ITERATIONS - bad.size());
    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed(without(bad)));
  }

  @Test
  void anEndWhoseLastMinibatchWasLeftOutIsAnEnd() {
    Set<Integer> bad = Set.of(ITERATIONS - 1);
    TroubleGuard guard =
        TroubleGuard.DEFAULT.withTries(1).withLastResort(new LastResort.SkipMinibatches(1));
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run = CairnTraining.resume(model, spoiledAt(bad), checkpoints.join())) {
      run.guardedBy(guard, () -> spoiledAt(bad)).fit(EPOCHS);
    }
    MultiLayerNetwork again = TestNets.adam();
    try (CairnTraining run = CairnTraining.resume(again, spoiledAt(bad), checkpoints.join())) {
      run.fit(EPOCHS);
    }

    assertThat(again.getIterationCount()).isEqualTo(ITERATIONS - 1);
    assertThat(ModelDigest.of(again)).isEqualTo(ModelDigest.of(model));
  }

  /** Another process goes on behind the minibatch that was left out. */
  @Test
  void aTrainingThatLeftMinibatchesOutResumesBitForBit() {
    Set<Integer> bad = Set.of(9);
    TroubleGuard guard =
        TroubleGuard.DEFAULT.withTries(1).withLastResort(new LastResort.SkipMinibatches(1));
    try (CairnTraining run =
        CairnTraining.resume(TestNets.adam(), spoiledAt(bad), checkpoints.join())) {
      run.guardedBy(guard, () -> spoiledAt(bad)).fit(3);
    }
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run = CairnTraining.resume(model, spoiledAt(bad), checkpoints.join())) {
      run.fit(EPOCHS);
    }

    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed(without(bad)));
  }

  @Test
  void aSmallerRateTrainsOnFromAnOlderCheckpoint() {
    // diverges at this rate, whatever is restored
    MultiLayerNetwork model = TestNets.hidden(new Sgd(0.1), Activation.IDENTITY);
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model trained, int iteration, int epoch) {
            if (iteration >= 15 && ((MultiLayerNetwork) trained).getLearningRate(0) > 0.04) {
              trained.params().assign(Double.NaN);
            }
          }
        });
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.guardedBy(
          TroubleGuard.DEFAULT.withTries(2).withLastResort(new LastResort.SmallerRate(0.5)),
          TestData::shuffling);
      run.fit(EPOCHS);

      // 15 was captured with NaN, 14 is the newest sound one; the rate is halved twice
      assertThat(restoredIterations(run)).containsExactly(15L, 14L, 13L, 12L);
    }

    assertThat(model.getLearningRate(0)).isEqualTo(0.025);
    assertThat(model.getIterationCount()).isEqualTo(ITERATIONS);
    assertThat(model.score()).isFinite();
  }

  @Test
  void aScheduledRateCannotBeReduced() {
    try (CairnTraining run =
        CairnTraining.resume(TestNets.adam(), TestData.shuffling(), checkpoints.join())) {
      TroubleGuard slower = TroubleGuard.DEFAULT.withLastResort(new LastResort.SmallerRate(0.5));

      assertThatThrownBy(() -> run.guardedBy(slower, TestData::shuffling))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("layer0")
          .hasMessageContaining("schedule");
    }
  }

  /** DL4J would order the updater's state anew, if some rates changed and others did not. */
  @Test
  void aRateThatDl4jCannotChangeCannotBeReduced() {
    try (CairnTraining run =
        CairnTraining.resume(TestNets.bidirectional(), TestData.series(), checkpoints.join())) {
      TroubleGuard slower = TroubleGuard.DEFAULT.withLastResort(new LastResort.SmallerRate(0.5));

      assertThatThrownBy(() -> run.guardedBy(slower, TestData::series))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("layer0")
          .hasMessageContaining("Bidirectional");
    }
  }

  /** It has no rate. */
  @Test
  void theRatesBesideAFrozenLayerCanBeReduced() {
    MultiLayerNetwork model = TestNets.frozen();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model trained, int iteration, int epoch) {
            if (iteration >= 15 && ((MultiLayerNetwork) trained).getLearningRate(1) > 0.01) {
              trained.params().assign(Double.NaN);
            }
          }
        });
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.guardedBy(
          TroubleGuard.DEFAULT.withTries(2).withLastResort(new LastResort.SmallerRate(0.5)),
          TestData::shuffling);
      run.fit(EPOCHS);
    }

    assertThat(model.getLearningRate(1)).isEqualTo(0.01);
    assertThat(model.score()).isFinite();
  }

  @Test
  void aGraphRollsBackToo() {
    ComputationGraph graph = TestNets.graph();
    graph.init();
    graph.setListeners(
        afterIteration(12, hit -> hit.params().putScalar(0, Float.NEGATIVE_INFINITY)));
    try (CairnTraining run =
        CairnTraining.resume(graph, TestData.twoInputs(), checkpoints.join())) {
      run.guardedBy(TroubleGuard.DEFAULT, TestData::twoInputs).fit(EPOCHS);

      assertThat(restoredIterations(run)).containsExactly(12L, 11L);
    }

    ComputationGraph undisturbed = TestNets.graph();
    undisturbed.init();
    undisturbed.fit(TestData.twoInputs(), EPOCHS);
    assertThat(ModelDigest.of(graph)).isEqualTo(ModelDigest.of(undisturbed));
  }

  @Test
  void anIteratorOfTheOtherKindIsRefused() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(afterIteration(12, hit -> hit.params().assign(Double.NaN)));
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.guardedBy(TroubleGuard.DEFAULT, TestData::oneInput);

      assertThatThrownBy(() -> run.fit(EPOCHS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("DataSetIterator")
          .hasMessageContaining("MultiShuffling");
    }
  }

  @Test
  void withoutTroubleTheGuardChangesNothing() {
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.guardedBy(TroubleGuard.DEFAULT, TestData::shuffling).fit(EPOCHS);

      assertThat(run.rollBacks()).isEmpty();
    }

    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed());
  }

  @Test
  void settingsOutOfBoundsAreRefusedByName() {
    for (String bad : List.of("factor", "floor", "window", "tries")) {
      assertThatThrownBy(
              () ->
                  new TroubleGuard(
                      bad.equals("factor") ? Double.NaN : 10,
                      bad.equals("floor") ? 0 : 0.1,
                      bad.equals("window") ? 9 : 50,
                      bad.equals("tries") ? 0 : 3,
                      new LastResort.End()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(bad + " is ");
    }
    assertThatThrownBy(() -> new LastResort.SmallerRate(1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LastResort.SkipMinibatches(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The real engine: DEVICE keeps every iteration. */
  @Test
  void theDeviceOfTheRealEngineRollsBack(@TempDir Path directory) throws IOException {
    MultiLayerNetwork model = linear();
    model.init();
    model.setListeners(afterIteration(21, hit -> flip(hit.params(), 3)));
    List<CheckpointId> restored;
    try (CairnEngine cairn = open(directory);
        CairnTraining run =
            CairnTraining.resume(model, TestData.shuffling(), cairn.join("fold-1"))) {
      run.guardedBy(TroubleGuard.DEFAULT, TestData::shuffling).fit(EPOCHS);

      restored = run.rollBacks().stream().map(RollBack::restored).toList();
      assertThat(run.rollBacks()).allMatch(back -> back.level() == Level.DEVICE);
      assertThat(run.statistics().failed() + run.statistics().skipped()).isZero();
    }

    assertThat(restored).extracting(CheckpointId::iteration).containsExactly(21L, 20L);
    assertThat(ModelDigest.of(model)).isEqualTo(undisturbedLinear());
  }

  @Test
  void aRankOfACoupledGroupIsRefused(@TempDir Path directory) throws Exception {
    try (CairnEngine cairn = open(directory)) {
      Thread other =
          new Thread(
              () -> {
                try (Checkpointer second = cairn.join("wave", 1, 2)) {
                  assertThat(second.restore()).isEmpty();
                }
              });
      other.start();
      try (CairnTraining run =
          CairnTraining.resume(TestNets.adam(), TestData.shuffling(), cairn.join("wave", 0, 2))) {
        assertThatThrownBy(() -> run.guardedBy(TroubleGuard.DEFAULT, TestData::shuffling))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("coupled group");
      }
      other.join();
    }
  }

  private static CairnEngine open(Path directory) throws IOException {
    return CairnEngine.open(
        CairnConfig.of(
            Map.of(
                "store", directory.resolve("store").toString(),
                "node.dir", directory.resolve("node").toString(),
                "device.dir", directory.resolve("device").toString(),
                "device.cacheSize", "4m",
                "chunkSize", "4k")));
  }
}

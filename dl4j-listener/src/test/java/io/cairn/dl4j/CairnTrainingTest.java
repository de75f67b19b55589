package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Digest;
import io.cairn.RestoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Sgd;

/** A training that dies anywhere ends like DL4J's own undisturbed {@code fit}, bit for bit. */
class CairnTrainingTest {
  private static final int EPOCHS = 3;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  /** Dies in the callback of one iteration, of which no checkpoint exists then. */
  private static final class Death extends BaseTrainingListener {
    private final int iteration;

    Death(int iteration) {
      this.iteration = iteration;
    }

    @Override
    public void iterationDone(Model model, int iteration, int epoch) {
      if (iteration == this.iteration) {
        throw new DeathException();
      }
    }
  }

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static Digest undisturbed(
      Supplier<MultiLayerNetwork> net, Supplier<? extends DataSetIterator> data) {
    MultiLayerNetwork model = net.get();
    model.init();
    model.fit(data.get(), EPOCHS);
    return ModelDigest.of(model);
  }

  private Digest trainAgain(
      Supplier<MultiLayerNetwork> net, Supplier<? extends DataSetIterator> data) {
    // another process has another generator state
    Nd4j.getRandom().setSeed(4711);
    MultiLayerNetwork model = net.get();
    try (CairnTraining run = CairnTraining.resume(model, data.get(), checkpoints.join())) {
      // so has one that draws between resume and fit
      Nd4j.getRandom().nextLong();
      run.fit(EPOCHS);
    }
    return ModelDigest.of(model);
  }

  private void trainUntil(
      int iteration, Supplier<MultiLayerNetwork> net, Supplier<? extends DataSetIterator> data) {
    MultiLayerNetwork model = net.get();
    model.init();
    model.setListeners(new Death(iteration));
    CairnTraining run = CairnTraining.resume(model, data.get(), checkpoints.join());
    assertThatThrownBy(() -> run.fit(EPOCHS)).isInstanceOf(DeathException.class);
  }

  @Test
  void anUninterruptedTrainingIsTheOneOfDl4j() {
    MultiLayerNetwork model = TestNets.adam();
    TestData.Shuffling data = TestData.shuffling();
    try (CairnTraining run = CairnTraining.resume(model, data, checkpoints.join())) {
      assertThat(run.restored()).isEmpty();
      run.fit(EPOCHS);
      assertThat(run.statistics().captured()).isEqualTo(EPOCHS * TestData.MINIBATCHES);
      assertThat(run.statistics().stall().count()).isEqualTo(EPOCHS * TestData.MINIBATCHES);
    }
    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed(TestNets::adam, TestData::shuffling));
    assertThat(model.getEpochCount()).isEqualTo(EPOCHS);
    assertThat(model.getIterationCount()).isEqualTo(EPOCHS * TestData.MINIBATCHES);
  }

  /**
   * With four minibatches per epoch, 3 dies in the last of an epoch, 4 in the first of the next.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 11})
  void resumesBitForBit(int iteration) {
    trainUntil(iteration, TestNets::adam, TestData::shuffling);
    assertThat(checkpoints.checkpoints.lastKey().iteration()).isEqualTo(iteration - 1);
    assertThat(trainAgain(TestNets::adam, TestData::shuffling))
        .isEqualTo(undisturbed(TestNets::adam, TestData::shuffling));
  }

  @Test
  void resumesAfterSeveralDeaths() {
    trainUntil(2, TestNets::adam, TestData::shuffling);
    trainUntil(6, TestNets::adam, TestData::shuffling);
    trainUntil(9, TestNets::adam, TestData::shuffling);
    assertThat(trainAgain(TestNets::adam, TestData::shuffling))
        .isEqualTo(undisturbed(TestNets::adam, TestData::shuffling));
  }

  @Test
  void resumesWithoutUpdaterState() {
    Supplier<MultiLayerNetwork> sgd = () -> TestNets.dense(new Sgd(0.1), 8);
    trainUntil(6, sgd, TestData::shuffling);
    assertThat(checkpoints.checkpoints.lastEntry().getValue())
        .containsOnlyKeys(ModelRegions.PARAMETERS, ModelRegions.STATE);
    assertThat(trainAgain(sgd, TestData::shuffling))
        .isEqualTo(undisturbed(sgd, TestData::shuffling));
  }

  /**
   * Ten steps in parts of four: three iterations per minibatch, so that 10 is inside the fourth.
   */
  @ParameterizedTest
  @ValueSource(ints = {4, 10, 12})
  void truncatedBackpropagationIsCapturedBetweenMinibatches(int iteration) {
    trainUntil(iteration, TestNets::truncatedBackpropagation, TestData::series);
    assertThat(checkpoints.checkpoints.keySet())
        .isNotEmpty()
        .allSatisfy(id -> assertThat(id.iteration() % 3).isEqualTo(2));
    assertThat(trainAgain(TestNets::truncatedBackpropagation, TestData::series))
        .isEqualTo(undisturbed(TestNets::truncatedBackpropagation, TestData::series));
  }

  @Test
  void aFinishedTrainingIsNotTrainedAgain() {
    Digest first = trainAgain(TestNets::adam, TestData::shuffling);
    int taken = checkpoints.checkpoints.size();
    assertThat(trainAgain(TestNets::adam, TestData::shuffling)).isEqualTo(first);
    assertThat(checkpoints.checkpoints).hasSize(taken);
  }

  @Test
  void fitCountsEpochsInAll() {
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.fit(1);
      run.fit(1);
      run.fit(EPOCHS);
    }
    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed(TestNets::adam, TestData::shuffling));
  }

  @Test
  void listenersSeeTheEventsOfFit() {
    List<String> ours = new ArrayList<>();
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(new Events(ours));
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.fit(EPOCHS);
    }
    List<String> dl4j = new ArrayList<>();
    MultiLayerNetwork plain = TestNets.adam();
    plain.init();
    plain.setListeners(new Events(dl4j));
    plain.fit(TestData.shuffling(), EPOCHS);
    assertThat(ours).isEqualTo(dl4j).hasSize(EPOCHS * (TestData.MINIBATCHES + 2));
  }

  private static final class Events extends BaseTrainingListener {
    private final List<String> seen;

    Events(List<String> seen) {
      this.seen = seen;
    }

    @Override
    public void onEpochStart(Model model) {
      seen.add("start of " + ((MultiLayerNetwork) model).getEpochCount());
    }

    @Override
    public void iterationDone(Model model, int iteration, int epoch) {
      seen.add("iteration " + iteration + " of " + epoch);
    }

    @Override
    public void onEpochEnd(Model model) {
      seen.add("end of " + ((MultiLayerNetwork) model).getEpochCount());
    }
  }

  @Test
  void aModelOfAnotherShapeIsRefusedUntouched() {
    trainUntil(5, TestNets::adam, TestData::shuffling);
    MultiLayerNetwork wider = TestNets.dense(new Adam(0.02), 9);
    wider.init();
    Digest before = ModelDigest.of(wider);
    MemoryCheckpointer checkpointer = checkpoints.join();
    assertThatThrownBy(() -> CairnTraining.resume(wider, TestData.shuffling(), checkpointer))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining(ModelRegions.PARAMETERS)
        .hasMessageContaining("bytes");
    assertThat(ModelDigest.of(wider)).isEqualTo(before);
    assertThat(wider.getIterationCount()).isZero();
    assertThat(checkpointer.closed).isTrue();
  }

  @Test
  void lessDataThanTheFirstRunHadIsRefused() {
    trainUntil(3, TestNets::adam, TestData::shuffling);
    TestData.Shuffling shorter = TestData.shuffling(2);
    assertThatThrownBy(() -> CairnTraining.resume(TestNets.adam(), shorter, checkpoints.join()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended after 2 minibatches")
        .hasMessageContaining("after 3");
  }

  /** 3 and 7 end an epoch; 5 and 10 lie within one. */
  @ParameterizedTest
  @ValueSource(ints = {3, 5, 7, 10})
  void anIteratorThatSeeksIsNotReadOver(int iteration) {
    trainUntil(iteration, TestNets::adam, TestData::seeking);
    MultiLayerNetwork model = TestNets.adam();
    TestData.Seeking data = TestData.seeking();

    try (CairnTraining run = CairnTraining.resume(model, data, checkpoints.join())) {
      // the first minibatch describes the data
      assertThat(data.read()).isEqualTo(1);
      run.fit(EPOCHS);
    }

    assertThat(data.read()).isEqualTo(1 + EPOCHS * TestData.MINIBATCHES - iteration);
    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed(TestNets::adam, TestData::shuffling));
  }

  @Test
  void aCheckpointOfAListenerIsRefused() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(new CairnListener(checkpoints.join()));
    model.fit(TestData.shuffling().next());

    assertThatThrownBy(
            () -> CairnTraining.resume(TestNets.adam(), TestData.shuffling(), checkpoints.join()))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("data=");
    MemoryCheckpointer accepting = checkpoints.join();
    accepting.accepted.add("data");
    assertThatThrownBy(() -> CairnTraining.resume(TestNets.adam(), TestData.shuffling(), accepting))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("CairnListener");
  }

  @Test
  void epochsBelowOneAreRefused() {
    try (CairnTraining run =
        CairnTraining.resume(TestNets.adam(), TestData.shuffling(), checkpoints.join())) {
      assertThatThrownBy(() -> run.fit(0)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}

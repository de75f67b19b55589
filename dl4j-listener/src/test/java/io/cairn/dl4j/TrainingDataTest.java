package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.model.Digest;
import io.cairn.core.session.RestoreException;
import java.util.List;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.AsyncDataSetIterator;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;

/** Iterators of all kinds; those whose data are other ones are refused. */
class TrainingDataTest {
  private static final int EPOCHS = 3;

  /** An odd number of minibatches is captured before. */
  private static final int DEATH = 7;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static MultiLayerNetwork dying() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model done, int iteration, int epoch) {
            if (iteration == DEATH) {
              throw new DeathException();
            }
          }
        });
    return model;
  }

  private void trainUntilDeath(DataSetIterator data) {
    CairnTraining run = CairnTraining.resume(dying(), data, checkpoints.join());
    assertThatThrownBy(() -> run.fit(EPOCHS)).isInstanceOf(DeathException.class);
  }

  private Digest trainAgain(DataSetIterator data) {
    Nd4j.getRandom().setSeed(4711);
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run = CairnTraining.resume(model, data, checkpoints.join())) {
      assertThat(run.restored()).isPresent();
      run.fit(EPOCHS);
    }
    return ModelDigest.of(model);
  }

  private static Digest undisturbed(Supplier<DataSetIterator> data) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.fit(data.get(), EPOCHS);
    return ModelDigest.of(model);
  }

  /** Its thread has read further than the training, and the position is that of the training. */
  @Test
  void anIteratorThatReadsAheadResumesBitForBit() {
    trainUntilDeath(new AsyncDataSetIterator(TestData.shuffling(), 2, false));

    assertThat(trainAgain(new AsyncDataSetIterator(TestData.shuffling(), 2, false)))
        .isEqualTo(undisturbed(TestData::shuffling));
  }

  @Test
  void aStackOfLayersTrainsOnSeveralInputsIterator() {
    CairnTraining dies = CairnTraining.resume(dying(), TestData.oneInput(), checkpoints.join());
    assertThatThrownBy(() -> dies.fit(EPOCHS)).isInstanceOf(DeathException.class);
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run = CairnTraining.resume(model, TestData.oneInput(), checkpoints.join())) {
      run.fit(EPOCHS);
    }

    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed(TestData::shuffling));
  }

  @Test
  void otherDataAreRefusedWithBothDescriptions() {
    trainUntilDeath(TestData.shuffling());
    TestData.Shuffling moved = TestData.shuffling();
    moved.next();

    assertThatThrownBy(() -> CairnTraining.resume(TestNets.adam(), moved, checkpoints.join()))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("data=features float[5, 6], labels float[5, 3], crc32c ");
    assertThatThrownBy(
            () ->
                CairnTraining.resume(
                    TestNets.truncatedBackpropagation(), TestData.series(), checkpoints.join()))
        .isInstanceOf(RestoreException.class);
  }

  @Test
  void acceptedDataAreTakenAsTheyAre() {
    trainUntilDeath(TestData.shuffling());
    MemoryCheckpointer accepting = checkpoints.join();
    accepting.accepted.add("data");
    TestData.Shuffling moved = TestData.shuffling();
    moved.next();
    MultiLayerNetwork model = TestNets.adam();

    try (CairnTraining run = CairnTraining.resume(model, moved, accepting)) {
      run.fit(EPOCHS);
    }

    assertThat(model.getEpochCount()).isEqualTo(EPOCHS);
  }

  /** Copies each minibatch before it is normalised. */
  private static final class Normalized extends TestData.Shuffling {
    private static final long serialVersionUID = 1;

    private transient DataSetPreProcessor normalizer;

    Normalized(DataSetPreProcessor normalizer) {
      super(TestData.minibatches(0));
      this.normalizer = normalizer;
    }

    @Override
    public synchronized DataSet next() {
      DataSet minibatch = super.next().copy();
      normalizer.preProcess(minibatch);
      return minibatch;
    }

    @Override
    public synchronized void setPreProcessor(DataSetPreProcessor preProcessor) {
      normalizer = preProcessor;
    }

    @Override
    public synchronized DataSetPreProcessor getPreProcessor() {
      return normalizer;
    }
  }

  private static Normalized normalized(double mean) {
    INDArray ones = Nd4j.ones(1, TestNets.INPUTS);
    return new Normalized(new NormalizerStandardize(ones.mul(mean), ones.mul(2)));
  }

  @Test
  void theStatisticsOfANormalizerAreRestored() {
    trainUntilDeath(normalized(0.25));
    Normalized otherwiseFitted = normalized(0.125);

    assertThat(trainAgain(otherwiseFitted)).isEqualTo(undisturbed(() -> normalized(0.25)));
    assertThat(((NormalizerStandardize) otherwiseFitted.getPreProcessor()).getMean().getDouble(0))
        .isEqualTo(0.25);
  }

  @Test
  void anAbsentNormalizerIsRefused() {
    trainUntilDeath(normalized(0.25));

    assertThatThrownBy(
            () -> CairnTraining.resume(TestNets.adam(), TestData.shuffling(), checkpoints.join()))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("NormalizerStandardize");
  }

  /** The generator computes two Gaussian numbers at once, and the second is still to come. */
  @Test
  void aDrawnPairOfGaussiansIsContinued() {
    Supplier<DataSetIterator> noisy = () -> new Noisy(TestData.minibatches(0));
    trainUntilDeath(noisy.get());
    Nd4j.getRandom().nextGaussian();

    assertThat(trainAgain(noisy.get())).isEqualTo(undisturbed(noisy));
  }

  /** Adds a number from ND4J's generator to each minibatch. */
  private static final class Noisy extends TestData.Shuffling {
    private static final long serialVersionUID = 1;

    Noisy(List<DataSet> order) {
      super(order);
    }

    @Override
    public synchronized DataSet next() {
      DataSet minibatch = super.next().copy();
      minibatch.getFeatures().addi(Nd4j.getRandom().nextGaussian());
      return minibatch;
    }

    @Override
    public boolean asyncSupported() {
      return false;
    }
  }
}

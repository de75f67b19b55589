package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Digest;
import io.cairn.RestoreException;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.deeplearning4j.datasets.iterator.file.FileDataSetIterator;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.AsyncDataSetIterator;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.ViewIterator;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerMinMaxScaler;
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

  private static MultiLayerNetwork dying(int death) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model done, int iteration, int epoch) {
            if (iteration == death) {
              throw new DeathException();
            }
          }
        });
    return model;
  }

  private void trainUntilDeath(DataSetIterator data) {
    trainUntil(DEATH, data);
  }

  private void trainUntil(int death, DataSetIterator data) {
    CairnTraining run = CairnTraining.resume(dying(death), data, checkpoints.join());
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
    CairnTraining dies =
        CairnTraining.resume(dying(DEATH), TestData.oneInput(), checkpoints.join());
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
  void anAcceptedNormalizerOfAnotherClassStays() {
    trainUntilDeath(normalized(0.25));
    MemoryCheckpointer accepting = checkpoints.join();
    accepting.accepted.add("data");
    NormalizerMinMaxScaler other = new NormalizerMinMaxScaler();
    other.fit(all());
    Normalized data = new Normalized(other);

    try (CairnTraining run = CairnTraining.resume(TestNets.adam(), data, accepting)) {
      run.fit(EPOCHS);
    }

    assertThat(data.getPreProcessor()).isSameAs(other);
  }

  @Test
  void anAbsentNormalizerIsRefused() {
    trainUntilDeath(normalized(0.25));

    assertThatThrownBy(
            () -> CairnTraining.resume(TestNets.adam(), TestData.shuffling(), checkpoints.join()))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("NormalizerStandardize");
  }

  /** Dies before the capture of an iteration, and trains again. */
  private Digest resumed(Supplier<DataSetIterator> data, int death, boolean recognised) {
    trainUntil(death, data.get());
    Nd4j.getRandom().setSeed(4711);
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run = CairnTraining.resume(model, data.get(), checkpoints.join())) {
      assertThat(run.restored()).isPresent();
      assertThat(run.dataRecognised()).isEqualTo(recognised);
      run.fit(EPOCHS);
    }
    return ModelDigest.of(model);
  }

  private static DataSet all() {
    return DataSet.merge(TestData.minibatches(0));
  }

  private static DataSetIterator normalizedInPlace() {
    DataSetIterator data = new ViewIterator(all(), TestData.MINIBATCH);
    data.setPreProcessor(normalized(0.25).getPreProcessor());
    return data;
  }

  /** Writes into the arrays that later passes return in another order. */
  private static DataSetIterator shuffledInPlace() {
    return new TestData.Shuffling(TestData.minibatches(0)) {
      private static final long serialVersionUID = 1;

      @Override
      public synchronized DataSet next() {
        DataSet minibatch = super.next();
        minibatch.getFeatures().muli(0.5);
        return minibatch;
      }
    };
  }

  /** In the first pass, in the second one, and in the third one. */
  @ParameterizedTest
  @ValueSource(ints = {2, 5, 7, 10})
  void dataThatANormalizerChangesInPlaceResumeBitForBit(int death) {
    assertThat(resumed(TrainingDataTest::normalizedInPlace, death, true))
        .isEqualTo(undisturbed(TrainingDataTest::normalizedInPlace));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 6, 10})
  void shuffledDataThatChangeInPlaceResumeBitForBit(int death) {
    assertThat(resumed(TrainingDataTest::shuffledInPlace, death, true))
        .isEqualTo(undisturbed(TrainingDataTest::shuffledInPlace));
  }

  /** Minibatches of other sizes than the files, which the iterator keeps parts of. */
  @ParameterizedTest
  @ValueSource(ints = {2, 9})
  void filesOfAnotherSizeResumeBitForBit(int death, @TempDir File directory) {
    List<DataSet> files = TestData.minibatches(0);
    for (int k = 0; k < files.size(); k++) {
      files.get(k).save(new File(directory, k + ".bin"));
    }
    Supplier<DataSetIterator> data =
        () -> new FileDataSetIterator(directory, true, new Random(4), 3, (String[]) null);

    assertThat(resumed(data, death, true)).isEqualTo(undisturbed(data));
  }

  /** Frees each minibatch when the next one is due. */
  private static DataSetIterator closing() {
    return new TestData.Shuffling(TestData.minibatches(0)) {
      private static final long serialVersionUID = 1;

      private transient DataSet last = new DataSet();

      @Override
      public synchronized DataSet next() {
        if (last.getFeatures() != null) {
          last.getFeatures().close();
        }
        last = super.next().copy();
        return new DataSet(last.getFeatures(), last.getLabels());
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 6, 10})
  void dataThatAreClosedAfterTheirUseResumeBitForBit(int death) {
    assertThat(resumed(TrainingDataTest::closing, death, true))
        .isEqualTo(undisturbed(TrainingDataTest::closing));
  }

  /** Fills one array again for each minibatch; counts them. */
  private static final class Refilling extends TestData.Shuffling implements SeekableIterator {
    private static final long serialVersionUID = 1;

    private final transient INDArray features = Nd4j.create(TestData.MINIBATCH, TestNets.INPUTS);
    private int read;

    Refilling() {
      super(TestData.minibatches(0));
    }

    @Override
    public synchronized DataSet next() {
      read++;
      DataSet minibatch = super.next();
      features.assign(minibatch.getFeatures());
      return new DataSet(features, minibatch.getLabels());
    }

    @Override
    public void seek(long minibatches) {
      moveTo(Math.toIntExact(minibatches));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 6, 10})
  void dataThatFillOneArrayAgainAreSought(int death) {
    trainUntil(death, new Refilling());
    Refilling again = new Refilling();
    MultiLayerNetwork model = TestNets.adam();

    try (CairnTraining run = CairnTraining.resume(model, again, checkpoints.join())) {
      assertThat(again.read).isEqualTo(1);
      run.fit(EPOCHS);
    }

    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed(TestData::shuffling));
  }

  /** Draws from a generator of its own for each minibatch. */
  private static DataSetIterator drawing() {
    Random own = new Random(2);
    return new TestData.Shuffling(TestData.minibatches(0)) {
      private static final long serialVersionUID = 1;

      @Override
      public synchronized DataSet next() {
        DataSet minibatch = super.next().copy();
        minibatch.getFeatures().addi(own.nextGaussian());
        return minibatch;
      }
    };
  }

  @Test
  void dataThatDoNotComeAgainAreNoticed() {
    assertThat(resumed(TrainingDataTest::drawing, 10, false)).isNotNull();
  }

  @Test
  void dataThatAreDrawnFromTheSavedGeneratorAreRecognised() {
    Supplier<DataSetIterator> noisy = () -> new Noisy(TestData.minibatches(0));

    assertThat(resumed(noisy, 6, true)).isEqualTo(undisturbed(noisy));
  }

  /** After 15 examples of the second pass; and after all of them. */
  @ParameterizedTest
  @ValueSource(ints = {7, 8})
  void acceptedDataMayHaveLargerMinibatches(int death) {
    List<Long> examples = new ArrayList<>();
    trainUntil(death, new ViewIterator(all(), TestData.MINIBATCH));
    MemoryCheckpointer accepting = checkpoints.join();
    accepting.accepted.add("data");
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model done, int iteration, int epoch) {
            examples.add(epoch * 100L + ((MultiLayerNetwork) done).getInput().size(0));
          }
        });

    try (CairnTraining run = CairnTraining.resume(model, new ViewIterator(all(), 10), accepting)) {
      assertThat(run.dataRecognised()).isFalse();
      run.fit(EPOCHS);
    }

    assertThat(examples).containsExactly(210L, 210L);
    assertThat(model.getEpochCount()).isEqualTo(EPOCHS);
  }

  private static final class SeekingView extends ViewIterator implements SeekableIterator {
    private static final long serialVersionUID = 1;

    private final List<Long> sought = new ArrayList<>();

    SeekingView(int minibatch) {
      super(all(), minibatch);
    }

    @Override
    public void seek(long minibatches) {
      sought.add(minibatches);
      reset();
      for (long k = 0; k < minibatches; k++) {
        next();
      }
    }
  }

  private List<Long> soughtAfter(int death, int minibatch) {
    trainUntil(death, new ViewIterator(all(), TestData.MINIBATCH));
    MemoryCheckpointer accepting = checkpoints.join();
    accepting.accepted.add("data");
    SeekingView data = new SeekingView(minibatch);
    MultiLayerNetwork model = TestNets.adam();
    try (CairnTraining run = CairnTraining.resume(model, data, accepting)) {
      run.fit(EPOCHS);
    }
    assertThat(model.getEpochCount()).isEqualTo(EPOCHS);
    return data.sought;
  }

  /** After 15 examples of the first pass, and of the second one. */
  @ParameterizedTest
  @ValueSource(ints = {3, 7})
  void acceptedDataAreSoughtWhereAMinibatchBegins(int death) {
    assertThat(soughtAfter(death, 3)).containsExactly(5L);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 7})
  void acceptedDataAreReadWhereNoMinibatchBegins(int death) {
    assertThat(soughtAfter(death, 10)).isEmpty();
  }

  @Test
  void acceptedDataMayBeFewer() {
    trainUntil(8, new ViewIterator(all(), TestData.MINIBATCH));
    MemoryCheckpointer accepting = checkpoints.join();
    accepting.accepted.add("data");
    MultiLayerNetwork model = TestNets.adam();
    DataSet half = DataSet.merge(TestData.minibatches(0).subList(0, 2));

    try (CairnTraining run = CairnTraining.resume(model, new ViewIterator(half, 2), accepting)) {
      run.fit(EPOCHS);
    }

    assertThat(model.getEpochCount()).isEqualTo(EPOCHS);
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

package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.Digest;
import java.io.File;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.deeplearning4j.datasets.iterator.file.FileDataSetIterator;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.ViewIterator;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.dataset.api.MultiDataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;

/** Loops of a program's own, whose data depend on more than their position. */
class OwnLoopDataTest {
  private static final int EPOCHS = 3;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();
  private int processes;

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** A loop that asks for each minibatch; dies after so many iterations. */
  private static MultiLayerNetwork train(CairnListener listener, DataSetIterator data, int death) {
    MultiLayerNetwork model = TestNets.adam();
    listener.restore(model);
    model.addListeners(listener, dying(death));
    listener.skipConsumed(data);
    while (model.getEpochCount() < EPOCHS) {
      while (data.hasNext()) {
        model.fit(data.next());
      }
      data.reset();
      model.incrementEpochCount();
    }
    listener.end();
    return model;
  }

  private static BaseTrainingListener dying(int death) {
    return new BaseTrainingListener() {
      @Override
      public void iterationDone(Model done, int iteration, int epoch) {
        if (iteration == death) {
          throw new DeathException();
        }
      }
    };
  }

  private static Digest undisturbed(Supplier<DataSetIterator> data) {
    Checkpointer memory = new MemoryCheckpoints().join();
    return ModelDigest.of(train(new CairnListener(memory), data.get(), -1));
  }

  private void dies(Supplier<DataSetIterator> data, int death) {
    CairnListener first = new CairnListener(checkpoints.join());
    assertThatThrownBy(() -> train(first, data.get(), death)).isInstanceOf(DeathException.class);
    Nd4j.getRandom().setSeed(4711); // another process
  }

  private Digest resumed(Supplier<DataSetIterator> data, int death) {
    dies(data, death);
    return ModelDigest.of(train(new CairnListener(checkpoints.join()), data.get(), -1));
  }

  private static DataSetIterator normalizedInPlace() {
    DataSetIterator data =
        new ViewIterator(DataSet.merge(TestData.minibatches(0)), TestData.MINIBATCH);
    INDArray ones = Nd4j.ones(1, TestNets.INPUTS);
    data.setPreProcessor(new NormalizerStandardize(ones.mul(0.25), ones.mul(2)));
    return data;
  }

  /** In the first pass, at its end, in the second one, and in the third one. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 8, 10})
  void dataThatANormalizerChangesInPlaceResumeBitForBit(int death) {
    assertThat(resumed(OwnLoopDataTest::normalizedInPlace, death))
        .isEqualTo(undisturbed(OwnLoopDataTest::normalizedInPlace));
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

    assertThat(resumed(data, death)).isEqualTo(undisturbed(data));
  }

  private boolean recognises(Supplier<DataSetIterator> data, int death) {
    dies(data, death);
    CairnListener listener = new CairnListener(checkpoints.join());
    assertThat(listener.dataRecognised()).isTrue();
    train(listener, data.get(), -1);
    return listener.dataRecognised();
  }

  /** Adds the next number of a generator to each minibatch. */
  private static DataSetIterator noisy(DoubleSupplier noise) {
    return new TestData.Shuffling(TestData.minibatches(0)) {
      private static final long serialVersionUID = 1;

      @Override
      public synchronized DataSet next() {
        DataSet minibatch = super.next();
        INDArray features = minibatch.getFeatures().add(noise.getAsDouble());
        return new DataSet(features, minibatch.getLabels());
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4, 8, 10})
  void dataThatDoNotComeAgainAreNoticed(int death) {
    assertThat(recognises(() -> noisy(new Random(processes++)::nextGaussian), death)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4, 8, 10})
  void dataThatAreDrawnFromTheSavedGeneratorAreRecognised(int death) {
    assertThat(recognises(() -> noisy(() -> Nd4j.getRandom().nextGaussian()), death)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 10})
  void dataThatAreSoughtAreTrusted(int death) {
    assertThat(recognises(TestData::seeking, death)).isTrue();
  }

  /** DL4J reads them on a thread of its own, in memory that it uses again. */
  private static Digest fitWhole(CairnListener listener, DataSetIterator data, int death) {
    MultiLayerNetwork model = TestNets.adam();
    listener.restore(model);
    model.addListeners(listener, dying(death));
    listener.skipConsumed(data);
    while (model.getEpochCount() < EPOCHS) {
      model.fit(data);
    }
    return ModelDigest.of(model);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 8, 10})
  void dataThatDl4jReadsAheadAreNeverTakenForOthersSilently(int death) {
    CairnListener first = new CairnListener(checkpoints.join());
    assertThatThrownBy(() -> fitWhole(first, normalizedInPlace(), death))
        .isInstanceOf(DeathException.class);
    CairnListener second = new CairnListener(checkpoints.join());
    Digest undisturbed =
        fitWhole(new CairnListener(new MemoryCheckpoints().join()), normalizedInPlace(), -1);

    Digest resumed = fitWhole(second, normalizedInPlace(), -1);

    assertThat(second.dataRecognised()).isEqualTo(resumed.equals(undisturbed));
  }

  /** Two inputs; every pass needs another one. */
  private static final class OnePass implements MultiDataSetIterator {
    private static final long serialVersionUID = 1;

    private final transient MultiDataSetIterator data = TestData.twoInputs();

    @Override
    public boolean hasNext() {
      return data.hasNext();
    }

    @Override
    public MultiDataSet next() {
      return data.next();
    }

    @Override
    public MultiDataSet next(int examples) {
      return data.next(examples);
    }

    @Override
    public boolean resetSupported() {
      return false;
    }

    @Override
    public boolean asyncSupported() {
      return false;
    }

    @Override
    public void reset() {
      throw new UnsupportedOperationException("one pass");
    }

    @Override
    public void setPreProcessor(MultiDataSetPreProcessor preProcessor) {
      throw new UnsupportedOperationException("data as they are");
    }

    @Override
    public @Nullable MultiDataSetPreProcessor getPreProcessor() {
      return null;
    }
  }

  private static Digest trainByPasses(CairnListener listener, int death) {
    ComputationGraph model = TestNets.graph();
    listener.restore(model);
    model.addListeners(listener, dying(death));
    OnePass data = new OnePass();
    listener.skipConsumed(data);
    while (model.getEpochCount() < EPOCHS) {
      while (data.hasNext()) {
        model.fit(data.next());
      }
      data = new OnePass();
      model.incrementEpochCount();
    }
    assertThat(listener.dataRecognised()).isTrue();
    return ModelDigest.of(model);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 6})
  void severalInputsThatServeOnePassEachResumeBitForBit(int death) {
    CairnListener first = new CairnListener(checkpoints.join());
    assertThatThrownBy(() -> trainByPasses(first, death)).isInstanceOf(DeathException.class);

    assertThat(trainByPasses(new CairnListener(checkpoints.join()), -1))
        .isEqualTo(trainByPasses(new CairnListener(new MemoryCheckpoints().join()), -1));
  }

  /** The program itself writes into minibatches that later passes return. */
  @Test
  void aLoopThatChangesItsDataIsWarned() {
    CairnListener first = new CairnListener(checkpoints.join());
    assertThatThrownBy(() -> train(first, halving(), 6)).isInstanceOf(DeathException.class);
    CairnListener second = new CairnListener(checkpoints.join());
    MultiLayerNetwork model = TestNets.adam();
    second.restore(model);

    second.skipConsumed(new TestData.Shuffling(TestData.minibatches(0)));

    assertThat(second.dataRecognised()).isFalse();
  }

  private static DataSetIterator halving() {
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
}

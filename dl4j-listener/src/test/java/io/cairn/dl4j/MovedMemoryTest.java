package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Digest;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.RNNFormat;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.layers.util.MaskZeroLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** Trainings that change their learning rate: DL4J moves the updater's state then. */
class MovedMemoryTest {
  private static final int EPOCHS = 3;
  private static final int NEVER = -1;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  /**
   * A network, and a change of it at the end of an epoch.
   *
   * @param atEnd receives the network and the epoch
   */
  private record Change(
      Supplier<MultiLayerNetwork> network,
      Supplier<TestData.Shuffling> data,
      ObjIntConsumer<MultiLayerNetwork> atEnd) {
    Change(Supplier<MultiLayerNetwork> network, ObjIntConsumer<MultiLayerNetwork> atEnd) {
      this(network, TestData::shuffling, atEnd);
    }
  }

  static Stream<Named<Change>> changes() {
    return Stream.of(
        Named.of("rate", once(MovedMemoryTest::adam, net -> net.setLearningRate(0.003))),
        // splits DL4J's block of equal layers, which orders the state's bytes anew
        Named.of("rate of one layer", once(TestNets::plain, net -> net.setLearningRate(1, 0.003))),
        Named.of(
            "schedule",
            once(
                MovedMemoryTest::adam,
                net ->
                    net.setLearningRate(
                        new ExponentialSchedule(ScheduleType.ITERATION, 0.01, 0.9)))),
        Named.of(
            "rate of each epoch",
            new Change(
                MovedMemoryTest::adam, (net, epoch) -> net.setLearningRate(0.02 / (epoch + 2)))),
        Named.of(
            "rate without state", once(MovedMemoryTest::sgd, net -> net.setLearningRate(0.05))),
        Named.of(
            "rate of a wrapped layer",
            new Change(
                MovedMemoryTest::wrapped,
                TestData::series,
                once(MovedMemoryTest::wrapped, net -> net.setLearningRate(0.003)).atEnd())),
        Named.of("clear", once(MovedMemoryTest::adam, MultiLayerNetwork::clear)));
  }

  private static Change once(
      Supplier<MultiLayerNetwork> network, Consumer<MultiLayerNetwork> change) {
    return new Change(
        network,
        (net, epoch) -> {
          if (epoch == 0) {
            change.accept(net);
          }
        });
  }

  private static MultiLayerNetwork adam() {
    return TestNets.dense(new Adam(0.02), 8);
  }

  /** A layer whose running configuration is not the one in the network's. */
  private static MultiLayerNetwork wrapped() {
    LSTM inner =
        new LSTM.Builder().nIn(TestNets.INPUTS).nOut(5).activation(Activation.TANH).build();
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .updater(new Adam(0.01))
            .list()
            .layer(new MaskZeroLayer.Builder().setUnderlying(inner).setMaskValue(-1).build())
            .layer(
                new RnnOutputLayer.Builder(LossFunction.MCXENT)
                    .dataFormat(RNNFormat.NCW)
                    .nIn(5)
                    .nOut(TestNets.CLASSES)
                    .activation(Activation.SOFTMAX)
                    .build())
            .build());
  }

  private static MultiLayerNetwork sgd() {
    return TestNets.dense(new Sgd(0.1), 8);
  }

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static MultiLayerNetwork changing(Change change, int death) {
    MultiLayerNetwork model = change.network().get();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model done, int iteration, int epoch) {
            if (iteration == death) {
              throw new DeathException();
            }
          }

          @Override
          public void onEpochEnd(Model ended) {
            change.atEnd().accept(model, model.getEpochCount());
          }
        });
    return model;
  }

  private static Digest undisturbed(Change change) {
    MultiLayerNetwork model = changing(change, NEVER);
    model.fit(change.data().get(), EPOCHS);
    return ModelDigest.of(model);
  }

  private Digest train(Change change) {
    // another process has another generator state
    Nd4j.getRandom().setSeed(4711);
    MultiLayerNetwork model = changing(change, NEVER);
    try (CairnTraining run = CairnTraining.resume(model, change.data().get(), checkpoints.join())) {
      run.fit(EPOCHS);
    }
    return ModelDigest.of(model);
  }

  private void trainUntil(int death, Change change) {
    CairnTraining run =
        CairnTraining.resume(changing(change, death), change.data().get(), checkpoints.join());
    assertThatThrownBy(() -> run.fit(EPOCHS)).isInstanceOf(DeathException.class);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void everyIterationIsCaptured(Change change) {
    Digest trained = train(change);

    assertThat(trained).isEqualTo(undisturbed(change));
    assertThat(checkpoints.checkpoints).hasSize(EPOCHS * TestData.MINIBATCHES);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void resumesBitForBitAfterTheChange(Change change) {
    trainUntil(TestData.MINIBATCHES + 2, change);

    assertThat(checkpoints.checkpoints.lastKey().iteration()).isEqualTo(TestData.MINIBATCHES + 1);
    assertThat(train(change)).isEqualTo(undisturbed(change));
  }
}

package io.cairn.examples.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Cairn;
import io.cairn.Digest;
import io.cairn.RestoreException;
import io.cairn.dl4j.ModelDigest;
import io.cairn.examples.digits.DigitsData;
import io.cairn.examples.digits.Minibatches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.constraint.MaxNormConstraint;
import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** Trainings of virtual ranks, whose bits do not depend on the number of ranks. */
@Timeout(120)
class VirtualRanksTest {
  /** A multiple of no number of ranks but 1. */
  private static final int VIRTUAL = 7;

  private static final int STEPS = 12;
  private static final int NEVER = -1;
  private static final String RUNNING_MEAN = "1_mean";
  private static final DigitsData DIGITS = DigitsData.load();

  @TempDir Path directory;

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static MultiLayerNetwork network() {
    return network(8);
  }

  /** Adam with a schedule, dropout that fades, batch normalisation and a constraint. */
  private static MultiLayerNetwork network(int width) {
    MultiLayerNetwork model =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(7)
                .updater(new Adam(new ExponentialSchedule(ScheduleType.ITERATION, 0.02, 0.99)))
                .weightInit(WeightInit.XAVIER)
                .constrainWeights(new MaxNormConstraint(0.6, 1))
                .list()
                .layer(new DenseLayer.Builder().nOut(width).dropOut(fading()).build())
                .layer(new BatchNormalization())
                .layer(
                    new DenseLayer.Builder()
                        .nOut(width)
                        .activation(Activation.TANH)
                        .dropOut(0.8)
                        .build())
                .layer(output())
                .setInputType(InputType.convolutional(DigitsData.SIDE, DigitsData.SIDE, 1))
                .build());
    model.init();
    return model;
  }

  /** Layers read the iteration from counters of their own. */
  private static Dropout fading() {
    return new Dropout(new ExponentialSchedule(ScheduleType.ITERATION, 0.9, 0.95));
  }

  private static OutputLayer output() {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nOut(DigitsData.CLASSES)
        .activation(Activation.SOFTMAX)
        .build();
  }

  /** Each virtual rank has an order of its own; a pass has four minibatches. */
  private static VirtualData data() {
    return VirtualData.of(VirtualRanksTest::minibatches);
  }

  private static Minibatches minibatches(int virtual) {
    return new Minibatches(DIGITS, IntStream.range(0, 20).toArray(), 5, virtual);
  }

  private Cairn open() throws IOException {
    return Cairn.open(
        Map.of(
            "store", directory.resolve("store").toString(),
            "node.dir", directory.resolve("node").toString(),
            "device.dir", directory.resolve("device").toString(),
            "device.cacheSize", "4m",
            "chunkSize", "4k",
            "store.every", "3",
            "node.every", "1",
            "closeTimeout", "1s"));
  }

  /** One rank's part, until a step at which it dies. */
  private static Digest train(
      Cairn cairn,
      MultiLayerNetwork model,
      int virtual,
      RankExchange exchange,
      int deathStep,
      int steps)
      throws IOException {
    if (deathStep != NEVER && exchange.rank() == exchange.ranks() - 1) {
      model.setListeners(dyingAt(deathStep));
    }
    try (exchange;
        VirtualRanks run =
            VirtualRanks.resume(
                model,
                data(),
                virtual,
                exchange,
                cairn.join("elastic", exchange.rank(), exchange.ranks()))) {
      run.fit(steps);
      assertThat(run.score()).isPositive();
      assertThat(run.failed()).isZero();
      return ModelDigest.of(model);
    }
  }

  private static BaseTrainingListener dyingAt(int step) {
    return new BaseTrainingListener() {
      @Override
      public void iterationDone(Model trained, int iteration, int epoch) {
        if (iteration == step) {
          throw new DeathException();
        }
      }
    };
  }

  private Digest run(int ranks, int deathStep, int steps) throws Exception {
    return run(ThreadExchange.of(ranks), VirtualRanksTest::network, deathStep, steps);
  }

  /** All ranks of a group in a process; the digest that all have. */
  private Digest run(
      List<? extends RankExchange> exchanges,
      Supplier<MultiLayerNetwork> model,
      int deathStep,
      int steps)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(exchanges.size());
    try (Cairn cairn = open()) {
      List<Future<Digest>> ranks = new ArrayList<>();
      for (RankExchange exchange : exchanges) {
        ranks.add(
            threads.submit(() -> train(cairn, model.get(), VIRTUAL, exchange, deathStep, steps)));
      }
      List<Digest> digests = new ArrayList<>();
      List<Throwable> ends = new ArrayList<>();
      for (Future<Digest> rank : ranks) {
        try {
          digests.add(rank.get(60, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
          ends.add(e.getCause());
        }
      }
      if (!ends.isEmpty()) {
        assertThat(digests).isEmpty();
        throw (Exception) ends.get(ends.size() - 1);
      }
      assertThat(digests).containsOnly(digests.get(0));
      return digests.get(0);
    } finally {
      threads.shutdownNow();
    }
  }

  /** A program evaluates on one rank; the others have no such listener. */
  @Test
  void listenersOfOneRankKeepNoOtherNumberOfRanksFromResuming() throws Exception {
    AtomicInteger made = new AtomicInteger();
    Supplier<MultiLayerNetwork> evaluated =
        () -> {
          MultiLayerNetwork model = network();
          if (made.getAndIncrement() == 0) {
            model.setListeners(new EvaluativeListener(minibatches(0), 100));
          }
          return model;
        };
    run(ThreadExchange.of(4), evaluated, NEVER, 6);

    assertThat(run(3, NEVER, STEPS)).isEqualTo(undisturbed());
  }

  private Digest undisturbed() throws Exception {
    return elsewhere(() -> run(1, NEVER, STEPS));
  }

  /** With levels of its own. */
  private Digest elsewhere(Callable<Digest> training) throws Exception {
    Path here = directory;
    directory = Files.createDirectory(here.resolve("elsewhere"));
    try {
      return training.call();
    } finally {
      directory = here;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, VIRTUAL})
  void anyNumberOfRanksGivesTheSameBits(int ranks) throws Exception {
    assertThat(run(ranks, NEVER, STEPS)).isEqualTo(undisturbed());
  }

  @Test
  void fourThenThreeThenFourRanksGiveTheUndisturbedBits() throws Exception {
    assertThatThrownBy(() -> run(4, 4, STEPS)).isInstanceOf(DeathException.class);
    assertThatThrownBy(() -> run(3, 8, STEPS)).isInstanceOf(DeathException.class);
    assertThat(run(4, NEVER, STEPS)).isEqualTo(undisturbed());
  }

  @Test
  void ranksThatMeetAtRankZeroGiveTheSameBits() throws Exception {
    assertThat(run(peers(3), VirtualRanksTest::network, NEVER, STEPS)).isEqualTo(undisturbed());
  }

  private static List<PeerExchange> peers(int ranks) throws IOException {
    Duration patience = Duration.ofSeconds(60);
    List<PeerExchange> all = new ArrayList<>();
    all.add(PeerExchange.host("127.0.0.1", 0, ranks, patience));
    for (int rank = 1; rank < ranks; rank++) {
      all.add(PeerExchange.join(all.get(0).address(), rank, ranks, patience));
    }
    return all;
  }

  /** One virtual rank is DL4J's own training, but for the seeds of its generator. */
  @Test
  void oneVirtualRankTrainsAsDl4jDoes() throws IOException {
    DataSet minibatch = minibatches(0).next();
    MultiLayerNetwork virtual = network();
    MultiLayerNetwork own = network();
    try (Cairn cairn = open();
        RankExchange exchange = ThreadExchange.of(1).get(0);
        VirtualRanks run =
            VirtualRanks.resume(
                virtual, (rank, step) -> minibatch, 1, exchange, cairn.join("elastic"))) {
      for (int step = 0; step < 3; step++) {
        run.fit(step + 1L);
        Nd4j.getRandom().setSeed(VirtualRanks.seed(own, 0, step));
        own.fit(minibatch);
        assertThat(ModelDigest.of(virtual)).as("step %d", step).isEqualTo(ModelDigest.of(own));
      }
    }
  }

  @Test
  void runningMeansMoveByTheMeanOfTheVirtualRanks() throws IOException {
    Minibatches iterator = minibatches(0);
    List<DataSet> minibatches = List.of(iterator.next(), iterator.next(), iterator.next());
    INDArray expected = Nd4j.zeros(1, 4);
    for (DataSet minibatch : minibatches) {
      MultiLayerNetwork alone = normalising();
      alone.fit(minibatch);
      expected.addi(alone.getParam(RUNNING_MEAN).reshape(1, 4).div(minibatches.size()));
    }
    MultiLayerNetwork model = normalising();
    try (Cairn cairn = open();
        RankExchange exchange = ThreadExchange.of(1).get(0);
        VirtualRanks run =
            VirtualRanks.resume(
                model,
                (virtual, step) -> minibatches.get(virtual),
                minibatches.size(),
                exchange,
                cairn.join("elastic"))) {
      run.fit(1);
    }
    assertThat(model.getParam(RUNNING_MEAN).reshape(1, 4).toFloatVector())
        .containsExactly(expected.toFloatVector(), Offset.offset(1e-6f));
  }

  private static MultiLayerNetwork normalising() {
    MultiLayerNetwork model =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(7)
                .updater(new Adam(0.02))
                .list()
                .layer(new DenseLayer.Builder().nOut(4).build())
                .layer(new BatchNormalization())
                .layer(output())
                .setInputType(InputType.convolutional(DigitsData.SIDE, DigitsData.SIDE, 1))
                .build());
    model.init();
    return model;
  }

  /** Each rank writes its share of what all have alike. */
  @Test
  void ranksShareTheBytesOfACheckpoint() throws Exception {
    Supplier<MultiLayerNetwork> wide = () -> network(100);
    run(ThreadExchange.of(4), wide, NEVER, 3);
    List<Long> four = containerBytes(4);
    List<Long> one = elsewhere(() -> run(ThreadExchange.of(1), wide, NEVER, 3), 1);
    long state = one.get(0);
    assertThat(state).isGreaterThan(60_000);
    assertThat(four).hasSize(4);
    assertThat(four.stream().mapToLong(Long::longValue).sum()).isLessThan(state + 4 * 6_000);
    assertThat(four).allMatch(bytes -> bytes < state / 4 + 6_000);
  }

  private List<Long> elsewhere(Callable<Digest> training, int ranks) throws Exception {
    Path here = directory;
    elsewhere(training);
    directory = here.resolve("elsewhere");
    try {
      return containerBytes(ranks);
    } finally {
      directory = here;
    }
  }

  /** The lengths of the newest checkpoint's files at STORE, by rank. */
  private List<Long> containerBytes(int ranks) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("store"))) {
      List<Path> containers =
          files.filter(file -> file.toString().endsWith(".chunks")).sorted().toList();
      List<Long> lengths = new ArrayList<>();
      for (Path each : containers.subList(containers.size() - ranks, containers.size())) {
        lengths.add(Files.size(each));
      }
      return lengths;
    }
  }

  @Test
  void anotherNumberOfVirtualRanksIsRefused() throws Exception {
    run(2, NEVER, STEPS);
    try (Cairn cairn = open()) {
      assertThatThrownBy(
              () ->
                  train(
                      cairn, network(), VIRTUAL + 1, ThreadExchange.of(1).get(0), NEVER, STEPS + 1))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("virtual-ranks");
    }
  }

  @Test
  void ranksWithOtherModelsAreRefused() throws Exception {
    List<MultiLayerNetwork> models = List.of(network(), network(9));
    var next = models.iterator();
    assertThatThrownBy(
            () ->
                run(
                    ThreadExchange.of(2),
                    () -> {
                      synchronized (next) {
                        return next.next();
                      }
                    },
                    NEVER,
                    STEPS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("build the same network with the same seed everywhere");
  }

  @Test
  void moreRanksThanVirtualRanksAreRefused() throws Exception {
    assertThatThrownBy(() -> run(VIRTUAL + 1, NEVER, STEPS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("use fewer executors");
  }

  @Test
  void truncatedBackpropagationIsRefused() throws Exception {
    assertThatThrownBy(() -> run(ThreadExchange.of(1), VirtualRanksTest::truncated, NEVER, STEPS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("truncated backpropagation");
  }

  private static MultiLayerNetwork truncated() {
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .list()
            .layer(new LSTM.Builder().nIn(6).nOut(5).build())
            .layer(new RnnOutputLayer.Builder(LossFunction.MCXENT).nIn(5).nOut(3).build())
            .backpropType(BackpropType.TruncatedBPTT)
            .tBPTTForwardLength(4)
            .tBPTTBackwardLength(4)
            .build());
  }

  /** Its class has this name in each release for CUDA. */
  @Test
  void aBackendForCudaIsRefused() {
    assertThatThrownBy(() -> VirtualRanks.requireHostMemory("JCublasBackend"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the arrays of JCublasBackend")
        .hasMessageContaining("use nd4j-native");
  }

  @Test
  void anUpdaterWithoutStateIsRefused() throws Exception {
    assertThatThrownBy(() -> run(ThreadExchange.of(1), VirtualRanksTest::stateless, NEVER, STEPS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no state");
  }

  private static MultiLayerNetwork stateless() {
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .updater(new Sgd(0.1))
            .list()
            .layer(new OutputLayer.Builder(LossFunction.MCXENT).nIn(6).nOut(3).build())
            .build());
  }
}

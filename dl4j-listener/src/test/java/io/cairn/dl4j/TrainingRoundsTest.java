package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Digest;
import io.cairn.RestoreException;
import io.cairn.dl4j.TrainingState.RandomState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;

/** Trainings in rounds, such as those of a ParallelWrapper, which end and resume. */
class TrainingRoundsTest {
  private static final int ROUNDS = 6;
  private static final int WORKERS = 2;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  private static MultiLayerNetwork network() {
    MultiLayerNetwork model = TestNets.hidden(new Adam(0.02), Activation.TANH);
    model.init();
    return model;
  }

  /** The round's number decides the order. */
  private static TestData.Shuffling data(long round) {
    TestData.Shuffling data = TestData.shuffling();
    for (long reset = 0; reset < round; reset++) {
      data.reset();
    }
    return data;
  }

  private static void wrap(MultiLayerNetwork model, long round) {
    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(model)
            .workers(WORKERS)
            .trainingMode(ParallelWrapper.TrainingMode.AVERAGING)
            .averagingFrequency(1)
            .prefetchBuffer(0)
            .build();
    try {
      wrapper.fit(data(round));
    } finally {
      wrapper.shutdown();
    }
  }

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Dies in round 3; what the model was before that. */
  private Digest disturb(MultiLayerNetwork model, LongConsumer train) {
    Digest[] before = new Digest[1];
    try (TrainingRounds rounds = TrainingRounds.resume(model, checkpoints.join())) {
      assertThat(rounds.restored()).isEmpty();
      assertThatThrownBy(
              () ->
                  rounds.run(
                      ROUNDS,
                      round -> {
                        before[0] = ModelDigest.of(model);
                        train.accept(round);
                        if (round == 3) {
                          throw new DeathException();
                        }
                      }))
          .isInstanceOf(DeathException.class);
    }
    return before[0];
  }

  /** Two undisturbed runs of a wrapper differ, since its threads race, so nothing more is exact. */
  @Test
  void theModelOfAParallelWrapperIsThatAfterTheLastRound() {
    MultiLayerNetwork first = network();
    Digest before = disturb(first, round -> wrap(first, round));

    MultiLayerNetwork second = network();
    try (TrainingRounds rounds = TrainingRounds.resume(second, checkpoints.join())) {
      assertThat(rounds.completed()).isEqualTo(3);
      assertThat(ModelDigest.of(second)).isEqualTo(before);
      rounds.run(ROUNDS, round -> wrap(second, round));
      assertThat(rounds.completed()).isEqualTo(ROUNDS);
      assertThat(rounds.statistics().captured()).isEqualTo(3);
      assertThat(rounds.statistics().failed()).isZero();
    }
    assertThat(ModelDigest.of(second)).isNotEqualTo(before);
  }

  /** A round calls {@code fit} several times, so its number is not that of an iteration. */
  @Test
  void anExportedNetworkHasTheIterationsOfTheModel() throws IOException {
    MultiLayerNetwork model = network();
    try (TrainingRounds rounds = TrainingRounds.resume(model, checkpoints.join())) {
      rounds.run(2, round -> model.fit(data(round), 2));
    }

    SavedTraining saved = SavedTraining.read(MemoryRegions.newest(checkpoints));

    assertThat(model.getIterationCount()).isEqualTo(4 * TestData.MINIBATCHES);
    assertThat(saved.iteration()).isEqualTo(model.getIterationCount() - 1);
    assertThat(saved.epoch()).isEqualTo(model.getEpochCount());
    assertThat(ModelDigest.of(saved.model())).isEqualTo(ModelDigest.of(model));
  }

  /** The events of the threads of one round, and the generator of each at its first one. */
  private static final class Threads extends BaseTrainingListener {
    final Map<Thread, String> first = new ConcurrentHashMap<>();
    final Map<Thread, RandomState> generators = new ConcurrentHashMap<>();

    private void see(String event) {
      if (first.putIfAbsent(Thread.currentThread(), event) == null) {
        generators.put(Thread.currentThread(), ThreadGenerator.state());
      }
    }

    @Override
    public void onEpochStart(Model model) {
      see("epoch");
    }

    @Override
    public void onForwardPass(Model model, List<INDArray> activations) {
      see("forward pass");
    }

    @Override
    public void iterationDone(Model model, int iteration, int epoch) {
      see("iteration");
    }
  }

  private static Threads generatorsOfARound() {
    Nd4j.getRandom().setSeed(7);
    MultiLayerNetwork model = network();
    Threads threads = new Threads();
    model.setListeners(threads);
    wrap(model, 0);
    return threads;
  }

  /**
   * Nothing can give a worker of a wrapper its generator back: DL4J makes the thread, and shows it
   * to nobody before the thread has drawn the numbers of its first forward pass. One worker draws
   * from a generator that ND4J has seeded by the clock.
   */
  @Test
  void theGeneratorsOfAParallelWrapperAreOutOfReach() {
    Threads one = generatorsOfARound();
    Threads same = generatorsOfARound();

    assertThat(one.first).doesNotContainKey(Thread.currentThread());
    assertThat(one.first.values()).isNotEmpty().containsOnly("forward pass");
    assertThat(Set.copyOf(same.generators.values()))
        .isNotEqualTo(Set.copyOf(one.generators.values()));
  }

  @Test
  void roundsThatDependOnModelAndNumberAreExact() {
    MultiLayerNetwork undisturbed = TestNets.adam();
    undisturbed.init();
    for (int round = 0; round < ROUNDS; round++) {
      undisturbed.fit(data(round));
    }
    MultiLayerNetwork first = TestNets.adam();
    Digest before = disturb(first, round -> first.fit(data(round)));

    MultiLayerNetwork second = TestNets.adam();
    try (TrainingRounds rounds = TrainingRounds.resume(second, checkpoints.join())) {
      assertThat(ModelDigest.of(second)).isEqualTo(before);
      assertThat(second.getIterationCount()).isEqualTo(3 * TestData.MINIBATCHES);
      rounds.run(ROUNDS, round -> second.fit(data(round)));
    }
    assertThat(ModelDigest.of(second)).isEqualTo(ModelDigest.of(undisturbed));
  }

  @Test
  void aFinishedTrainingTrainsNothing() {
    MultiLayerNetwork first = network();
    try (TrainingRounds rounds = TrainingRounds.resume(first, checkpoints.join())) {
      rounds.run(2, round -> wrap(first, round));
    }
    AtomicInteger trained = new AtomicInteger();
    MultiLayerNetwork again = network();
    try (TrainingRounds rounds = TrainingRounds.resume(again, checkpoints.join())) {
      rounds.run(2, round -> trained.incrementAndGet());
    }
    assertThat(trained).hasValue(0);
    assertThat(ModelDigest.of(again)).isEqualTo(ModelDigest.of(first));
  }

  @Test
  void checkpointsOfAnotherLoopAreRefused() {
    Model model = network();
    CairnListener listener = new CairnListener(checkpoints.join());
    listener.restore(model);
    ((MultiLayerNetwork) model).setListeners(listener);
    ((MultiLayerNetwork) model).fit(TestData.shuffling());

    assertThatThrownBy(() -> TrainingRounds.resume(network(), checkpoints.join()))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("rounds");
  }
}

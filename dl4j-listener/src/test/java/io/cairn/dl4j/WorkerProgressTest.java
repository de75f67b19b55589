package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.model.Digest;
import io.cairn.core.session.RestoreException;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.Cairn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.learning.config.Sgd;

/** Workers that die inside a round, and others in their place. */
class WorkerProgressTest {
  private static final String ROUND = "round 3";
  private static final int DIES_AFTER = 2;

  private final List<DataSet> minibatches = new ArrayList<>();

  @TempDir Path directory;

  WorkerProgressTest() {
    TestData.shuffling(4).forEachRemaining(minibatches::add);
  }

  private Cairn open() throws IOException {
    return Cairn.open(
        CairnConfig.of(
            Map.of(
                "store", directory.resolve("store").toString(),
                "node.dir", directory.resolve("node").toString(),
                "device.dir", directory.resolve("device").toString(),
                "device.cacheSize", "4m",
                "chunkSize", "4k",
                "cadence", "fixed",
                "node.every", "1",
                "store.every", "1")));
  }

  private static MultiLayerNetwork adam() {
    MultiLayerNetwork network = TestNets.adam();
    network.init();
    return network;
  }

  /** Trains the minibatches that are left, up to a number of them. */
  private void train(MultiLayerNetwork network, WorkerProgress progress, int until) {
    while (progress.completed() < until) {
      network.fit(minibatches.get(progress.completed()));
      progress.minibatchDone();
    }
  }

  private void die(MultiLayerNetwork network, String round) throws IOException {
    try (Cairn cairn = open();
        WorkerProgress progress = WorkerProgress.resume(network, round, cairn.join("worker-0"))) {
      train(network, progress, DIES_AFTER);
      assertThat(progress.statistics().captured()).isEqualTo(DIES_AFTER);
    }
  }

  @Test
  void aWorkerGoesOnWhereAnotherDied() throws IOException {
    ThreadGenerator.seed(5);
    MultiLayerNetwork undisturbed = adam();
    minibatches.forEach(undisturbed::fit);
    ThreadGenerator.seed(5);
    die(adam(), ROUND);

    ThreadGenerator.seed(99);
    MultiLayerNetwork second = adam();
    try (Cairn cairn = open();
        WorkerProgress progress = WorkerProgress.resume(second, ROUND, cairn.join("worker-0"))) {
      assertThat(progress.completed()).isEqualTo(DIES_AFTER);
      assertThat(second.getIterationCount()).isEqualTo(DIES_AFTER);
      train(second, progress, minibatches.size());
    }
    assertThat(ModelDigest.of(second)).isEqualTo(ModelDigest.of(undisturbed));
  }

  private void requireFresh(MultiLayerNetwork network, String round) throws IOException {
    Digest before = ModelDigest.of(network);
    try (Cairn cairn = open();
        WorkerProgress progress = WorkerProgress.resume(network, round, cairn.join("worker-0"))) {
      assertThat(progress.completed()).isZero();
      assertThat(ModelDigest.of(network)).isEqualTo(before);
      train(network, progress, 1);
      assertThat(progress.statistics().captured()).isEqualTo(1);
    }
  }

  @Test
  void anotherRoundStartsAtItsBeginning() throws IOException {
    die(adam(), ROUND);
    requireFresh(adam(), "round 4");
  }

  /** A training that lost its checkpoints begins again, beside workers that did not. */
  @Test
  void aRoundFromAnotherModelStartsAtItsBeginning() throws IOException {
    die(adam(), ROUND);
    MultiLayerNetwork other = adam();
    other.params().muli(2);
    requireFresh(other, ROUND);
  }

  @Test
  void aRoundOfAnotherNetworkStartsAtItsBeginning() throws IOException {
    die(adam(), ROUND);
    MultiLayerNetwork other = TestNets.dense(new Sgd(0.1), 3);
    other.init();
    requireFresh(other, ROUND);
  }

  /** The older round is over, even if the levels still hold it. */
  @Test
  void theNewestRoundIsRestoredAfterAnother() throws IOException {
    die(adam(), ROUND);
    requireFresh(adam(), "round 4");
    try (Cairn cairn = open();
        WorkerProgress progress =
            WorkerProgress.resume(adam(), "round 4", cairn.join("worker-0"))) {
      assertThat(progress.completed()).isEqualTo(1);
    }
  }

  @Test
  void aWorkerThatCannotResumeLeavesItsGroup() throws IOException {
    die(adam(), ROUND);
    try (Cairn cairn = open()) {
      assertThatThrownBy(
              () -> {
                var checkpointer = cairn.join("worker-0");
                checkpointer.describe("program", "2");
                WorkerProgress.resume(adam(), ROUND, checkpointer);
              })
          .isInstanceOf(RestoreException.class);
      cairn.join("worker-0").close();
    }
  }
}

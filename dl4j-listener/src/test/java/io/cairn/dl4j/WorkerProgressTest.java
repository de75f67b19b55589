package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.RestoreException;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;

/** Workers that die inside a round, and others in their place. */
class WorkerProgressTest {
  private static final String ROUND = "round 3";
  private static final int DIES_AFTER = 2;

  private final List<DataSet> minibatches = new ArrayList<>();

  private final Map<String, String> settings =
      new HashMap<>(
          Map.of(
              "device.cacheSize", "4m",
              "chunkSize", "4k",
              "cadence", "fixed",
              "node.every", "1",
              "store.every", "1"));

  @TempDir Path directory;

  WorkerProgressTest() {
    TestData.shuffling(4).forEachRemaining(minibatches::add);
  }

  private CairnEngine open() throws IOException {
    settings.put("store", directory.resolve("store").toString());
    settings.put("node.dir", directory.resolve("node").toString());
    settings.put("device.dir", directory.resolve("device").toString());
    return CairnEngine.open(CairnConfig.of(settings));
  }

  private static MultiLayerNetwork adam() {
    MultiLayerNetwork network = TestNets.adam();
    network.init();
    return network;
  }

  /** Trains the minibatches that are left, up to a number of them. */
  private void train(MultiLayerNetwork network, WorkerProgress progress, int until) {
    for (DataSet minibatch : minibatches.subList(0, until)) {
      if (!progress.isTrained(minibatch)) {
        network.fit(minibatch);
        progress.minibatchDone();
      }
    }
    assertThat(progress.completed()).isEqualTo(until);
    assertThat(progress.missing()).isZero();
  }

  /** Earlier rounds have counted iterations, too. */
  @Test
  void anExportedNetworkHasTheIterationsOfTheModel() throws IOException {
    MemoryCheckpoints checkpoints = new MemoryCheckpoints();
    MultiLayerNetwork network = adam();
    network.setIterationCount(20);
    try (WorkerProgress progress = WorkerProgress.begin(network, ROUND, checkpoints.join())) {
      train(network, progress, 3);
    }

    SavedTraining saved = SavedTraining.read(MemoryRegions.newest(checkpoints));

    assertThat(network.getIterationCount()).isEqualTo(23);
    assertThat(saved.iteration()).isEqualTo(22);
  }

  private void die(MultiLayerNetwork network, String round) throws IOException {
    try (CairnEngine cairn = open();
        WorkerProgress progress = WorkerProgress.resume(network, round, cairn.join("worker-0"))) {
      train(network, progress, DIES_AFTER);
      assertThat(progress.statistics().captured()).isEqualTo(DIES_AFTER);
    }
  }

  @Test
  void aWorkerGoesOnWhereAnotherDied() throws IOException {
    Nd4j.getRandom().setSeed(5);
    MultiLayerNetwork undisturbed = adam();
    minibatches.forEach(undisturbed::fit);
    Nd4j.getRandom().setSeed(5);
    die(adam(), ROUND);

    Nd4j.getRandom().setSeed(99);
    MultiLayerNetwork second = adam();
    try (CairnEngine cairn = open();
        WorkerProgress progress = WorkerProgress.resume(second, ROUND, cairn.join("worker-0"))) {
      assertThat(progress.completed()).isEqualTo(DIES_AFTER);
      assertThat(second.getIterationCount()).isEqualTo(DIES_AFTER);
      train(second, progress, minibatches.size());
    }
    assertThat(ModelDigest.of(second)).isEqualTo(ModelDigest.of(undisturbed));
  }

  private void requireFresh(MultiLayerNetwork network, String round) throws IOException {
    Digest before = ModelDigest.of(network);
    try (CairnEngine cairn = open();
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
    try (CairnEngine cairn = open();
        WorkerProgress progress =
            WorkerProgress.resume(adam(), "round 4", cairn.join("worker-0"))) {
      assertThat(progress.completed()).isEqualTo(1);
    }
  }

  /** As a shuffle of Spark delivers them to another attempt. */
  @Test
  void minibatchesInAnotherOrderAreTrainedOnceEach() throws IOException {
    die(adam(), ROUND);
    Collections.reverse(minibatches);
    MultiLayerNetwork second = adam();
    try (CairnEngine cairn = open();
        WorkerProgress progress = WorkerProgress.resume(second, ROUND, cairn.join("worker-0"))) {
      train(second, progress, minibatches.size());
      assertThat(second.getIterationCount()).isEqualTo(minibatches.size());
    }
  }

  @Test
  void otherMinibatchesAreCountedAsMissing() throws IOException {
    die(adam(), ROUND);
    MultiLayerNetwork second = adam();
    try (CairnEngine cairn = open();
        WorkerProgress progress = WorkerProgress.resume(second, ROUND, cairn.join("worker-0"))) {
      assertThat(progress.isTrained(minibatches.get(1))).isTrue();
      assertThat(progress.isTrained(minibatches.get(1))).isFalse();
      assertThat(progress.isTrained(minibatches.get(3))).isFalse();
      assertThat(progress.missing()).isEqualTo(DIES_AFTER - 1);
    }
  }

  /** The levels of another round are not read before its checkpoints may be restored. */
  @Test
  void damageOfAnotherRoundStopsNoRound() throws IOException {
    die(adam(), ROUND);
    damage();
    requireFresh(adam(), "round 4");
  }

  @Test
  void anUnreadableCheckpointOfTheRoundIsPassedOver() throws IOException {
    die(adam(), ROUND);
    damage();
    requireFresh(adam(), ROUND);
  }

  /** Flips a bit in each container. */
  private void damage() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file :
          files.filter(each -> each.getFileName().toString().endsWith(".chunks")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
      }
    }
  }

  /** An operator has restarted the driver so that it must resume; workers need not. */
  @Test
  void aRoundBeginsWhereResumeIsRequired() throws IOException {
    die(adam(), ROUND);
    settings.put("resume", "require");
    requireFresh(adam(), "round 4");
  }

  /** A checkpointer whose restores fail after they have written the memory. */
  private static Checkpointer failingHalfWay(Checkpointer checkpointer) {
    return (Checkpointer)
        Proxy.newProxyInstance(
            Checkpointer.class.getClassLoader(),
            new Class<?>[] {Checkpointer.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(checkpointer, arguments);
                if (method.getName().equals("restore")) {
                  throw new RestoreException("went bad");
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  /** A copy that is in part another one must not be averaged. */
  @Test
  void aRestoreThatFailsHalfWayEndsTheWorker() throws IOException {
    die(adam(), ROUND);
    try (CairnEngine cairn = open()) {
      Checkpointer checkpointer = failingHalfWay(cairn.join("worker-0"));
      assertThatThrownBy(() -> WorkerProgress.resume(adam(), ROUND, checkpointer))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("half-way");
    }
  }

  @Test
  void aWorkerThatCannotResumeLeavesItsGroup() throws IOException {
    die(adam(), ROUND);
    try (CairnEngine cairn = open()) {
      assertThatThrownBy(
              () -> {
                Checkpointer checkpointer = cairn.join("worker-0");
                checkpointer.describe("program", "2");
                WorkerProgress.resume(adam(), ROUND, checkpointer);
              })
          .isInstanceOf(RestoreException.class);
      cairn.join("worker-0").close();
    }
  }
}

package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Nadam;

/** The same over the real engine, from every level. */
class EngineTest {
  private static final int EPOCHS = 3;
  private static final int LAST = EPOCHS * TestData.MINIBATCHES - 1;

  @TempDir Path directory;

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Device at every iteration, NODE at every second, STORE at every fourth. */
  private CairnEngine open() throws IOException {
    return open("");
  }

  /** The same, which accepts these differences of the program. */
  private CairnEngine open(String accepted) throws IOException {
    CairnEngine cairn =
        CairnEngine.open(
            CairnConfig.of(
                Map.of(
                    "store",
                    directory.resolve("store").toString(),
                    "node.dir",
                    directory.resolve("node").toString(),
                    "device.dir",
                    directory.resolve("device").toString(),
                    "device.cacheSize",
                    "4m",
                    "chunkSize",
                    "4k",
                    "accept",
                    accepted,
                    "node.every",
                    "2",
                    "store.every",
                    "4")));
    cairn.install();
    return cairn;
  }

  private static CairnTraining resume(MultiLayerNetwork model) {
    return CairnTraining.resume(model, TestData.shuffling(), "fold-1");
  }

  /** Dies after {@code iteration} was computed and before it was captured. */
  private static void trainUntil(int iteration) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model trained, int done, int epoch) {
            if (done == iteration) {
              throw new DeathException();
            }
          }
        });
    try (CairnTraining run = resume(model)) {
      assertThatThrownBy(() -> run.fit(EPOCHS)).isInstanceOf(DeathException.class);
    }
  }

  private static RestoreReport trainToTheEnd() {
    // another process has another generator state
    Nd4j.getRandom().setSeed(4711);
    MultiLayerNetwork model = TestNets.adam();
    CairnTraining run = resume(model);
    try (run) {
      run.fit(EPOCHS);
    }
    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed());
    assertThat(run.statistics().failed() + run.statistics().skipped()).isZero();
    return run.restored().orElseThrow();
  }

  private static Digest undisturbed() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.fit(TestData.shuffling(), EPOCHS);
    return ModelDigest.of(model);
  }

  @Test
  void resumesFromTheDeviceOfALivingProcess() throws IOException {
    try (CairnEngine cairn = open()) {
      trainUntil(7);
      RestoreReport restored = trainToTheEnd();
      assertThat(restored.level()).isEqualTo(Level.DEVICE);
      assertThat(restored.id().iteration()).isEqualTo(6);
      assertThat(cairn.counters().snapshot()).containsEntry("captures", LAST + 1L);
    }
  }

  @Test
  void resumesFromTheNodeInAnotherProcess() throws IOException {
    try (CairnEngine cairn = open()) {
      trainUntil(7);
      assertThat(cairn.counters().snapshot()).containsEntry("captures", 7L);
    }
    try (CairnEngine cairn = open()) {
      RestoreReport restored = trainToTheEnd();
      assertThat(restored.level()).isEqualTo(Level.NODE);
      assertThat(restored.id().iteration()).isEqualTo(6);
      assertThat(cairn.counters().snapshot())
          .containsEntry("captures", LAST - restored.id().iteration());
    }
  }

  @Test
  void resumesFromTheStoreWhenTheNodeIsGone() throws IOException {
    try (CairnEngine cairn = open()) {
      trainUntil(11);
      assertThat(cairn.counters().snapshot()).containsEntry("captures", 11L);
    }
    erase(directory.resolve("node"));
    try (CairnEngine cairn = open()) {
      RestoreReport restored = trainToTheEnd();
      assertThat(restored.level()).isEqualTo(Level.STORE);
      assertThat(restored.id().iteration()).isEqualTo(10);
      assertThat(cairn.counters().snapshot())
          .containsEntry("captures", LAST - restored.id().iteration());
    }
  }

  @Test
  void aModelOfAnotherShapeIsRefusedUntouched() throws IOException {
    try (CairnEngine cairn = open()) {
      trainUntil(5);
      MultiLayerNetwork wider = TestNets.dense(new Adam(0.02), 9);
      wider.init();
      Digest before = ModelDigest.of(wider);
      assertThatThrownBy(() -> resume(wider))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining(ModelRegions.PARAMETERS)
          .hasMessageContaining(String.valueOf(wider.numParams() * Float.BYTES))
          .hasMessageContaining("confs[0].layer.nout: 8 there and 9 here")
          .hasMessageContaining("bytes");
      assertThat(ModelDigest.of(wider)).isEqualTo(before);
      assertThat(wider.getIterationCount()).isZero();
      assertThat(cairn.counters().snapshot()).containsEntry("captures", 5L);
    }
  }

  /** Memory of the same shape, so that only the configuration tells the networks apart. */
  @Test
  void aNetworkOfAnotherConfigurationIsRefusedUntouched() throws IOException {
    try (CairnEngine cairn = open()) {
      try (CairnTraining run = resume(TestNets.hidden(new Adam(0.02), Activation.RELU))) {
        run.fit(1);
      }
      for (MultiLayerNetwork other :
          List.of(
              TestNets.hidden(new Nadam(0.02), Activation.RELU),
              TestNets.hidden(new Adam(0.02), Activation.TANH))) {
        other.init();
        Digest before = ModelDigest.of(other);
        assertThatThrownBy(() -> resume(other))
            .isInstanceOf(RestoreException.class)
            .hasMessageContaining("network is sha256 ")
            .hasMessageContaining("cairn.resume")
            .hasMessageMatching(
                "(?s).*differs in: confs\\[0]\\.layer\\.(activationFn|iupdater)\\.@class: \\S+"
                    + " there and \\S+ here.*");
        assertThat(ModelDigest.of(other)).isEqualTo(before);
      }
      MultiLayerNetwork same = TestNets.hidden(new Adam(0.02), Activation.RELU);
      // counters of the network are no part of its configuration
      same.init();
      same.setIterationCount(77);
      try (CairnTraining run = resume(same)) {
        assertThat(run.restored()).isPresent();
      }
      assertThat(cairn.counters().snapshot()).containsEntry("captures", 4L);
    }
  }

  @Test
  void aDeliberateChangeOfTheNetworkIsAcceptedByName() throws IOException {
    try (CairnEngine cairn = open()) {
      try (CairnTraining run = resume(TestNets.hidden(new Adam(0.02), Activation.RELU))) {
        run.fit(1);
      }
      assertThat(cairn.config().accepted()).isEmpty();
    }
    try (CairnEngine cairn = open("network")) {
      MultiLayerNetwork slower = TestNets.hidden(new Adam(0.005), Activation.RELU);
      try (CairnTraining run = resume(slower)) {
        assertThat(run.restored()).isPresent();
        assertThat(slower.getLearningRate(0)).isEqualTo(0.005);
        run.fit(EPOCHS);
        assertThat(run.statistics().failed()).isZero();
      }
      assertThat(cairn.config().accepted()).containsExactly("network");
    }
  }

  /** Two attempts of one training in one process: the later one is the one that counts. */
  @Test
  void aLaterAttemptFencesAnEarlierOne() throws IOException {
    try (CairnEngine cairn = open()) {
      MultiLayerNetwork zombie = TestNets.adam();
      try (CairnTraining earlier = resume(zombie)) {
        earlier.fit(1);
        assertThat(trainToTheEnd().id().iteration()).isEqualTo(TestData.MINIBATCHES - 1);
        long before = earlier.statistics().captured();
        Nd4j.getRandom().setSeed(1);
        earlier.fit(EPOCHS);
        assertThat(earlier.statistics().fenced()).isTrue();
        assertThat(earlier.statistics().captured()).isEqualTo(before);
      }
      assertThat(zombie.getEpochCount()).isEqualTo(EPOCHS);
      assertThat(trainToTheEnd().id().iteration()).isEqualTo(LAST);
      assertThat(cairn.counters().snapshot()).containsKey("captures");
    }
  }

  private static void erase(Path tree) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(tree)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.delete(path);
    }
  }
}

package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.RestoreException;
import io.cairn.StoredCheckpoints;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.training.Verdict;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.schedule.MapSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** Checkpoints that name their network by the text of its configuration, maps in any order. */
class OlderCheckpointsTest {
  private static final int EPOCHS = 2;

  @TempDir Path directory;

  private static MultiLayerNetwork network(List<Integer> steps, Activation activation) {
    Map<Integer, Double> rates = new LinkedHashMap<>();
    steps.forEach(step -> rates.put(step, 0.1 / (1 + step)));
    return TestNets.hidden(new Adam(new MapSchedule(ScheduleType.ITERATION, rates)), activation);
  }

  private static MultiLayerNetwork network(List<Integer> steps) {
    return network(steps, Activation.TANH);
  }

  private CairnEngine open() throws IOException {
    return CairnEngine.open(
        CairnConfig.of(
            Map.of(
                "store",
                directory.resolve("store").toString(),
                "node.dir",
                directory.resolve("node").toString(),
                "device.dir",
                directory.resolve("device").toString(),
                "device.cacheSize",
                "32m")));
  }

  /** The release before, which named a network by the digest of its JSON. */
  private static Checkpointer before(Checkpointer checkpointer, MultiLayerNetwork network) {
    String json = TrainedModel.of(network).configuration();
    String name = "sha256 " + Digest.of(json.getBytes(StandardCharsets.UTF_8));
    return (Checkpointer)
        Proxy.newProxyInstance(
            Checkpointer.class.getClassLoader(),
            new Class<?>[] {Checkpointer.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("describe") && arguments[0].equals("network")) {
                checkpointer.describe("network", name);
                return null;
              }
              try {
                return method.invoke(checkpointer, arguments);
              } catch (InvocationTargetException e) {
                throw Optional.ofNullable(e.getCause()).orElse(e);
              }
            });
  }

  private void trainBefore(MultiLayerNetwork network) throws IOException {
    try (CairnEngine cairn = open();
        CairnTraining run =
            CairnTraining.resume(
                network, TestData.shuffling(), before(cairn.join("fold-1"), network))) {
      run.fit(1);
    }
  }

  @Test
  void theSameNetworkResumesBitForBit() throws IOException {
    trainBefore(network(List.of(0, 2, 5)));
    MultiLayerNetwork undisturbed = network(List.of(0, 2, 5));
    undisturbed.init();
    undisturbed.fit(TestData.shuffling(), EPOCHS);

    for (int start = 0; start < 2; start++) {
      MultiLayerNetwork resumed = network(List.of(5, 0, 2));
      try (CairnEngine cairn = open();
          CairnTraining run =
              CairnTraining.resume(resumed, TestData.shuffling(), cairn.join("fold-1"))) {
        assertThat(run.restored()).isPresent();
        run.fit(EPOCHS);
      }
      assertThat(ModelDigest.of(resumed)).isEqualTo(ModelDigest.of(undisturbed));
    }
  }

  @Test
  void itIsCertified() throws IOException {
    trainBefore(network(List.of(0, 2, 5)));

    try (CairnEngine cairn = open()) {
      StoredCheckpoints stored = cairn.stored("fold-1");
      Verdict verdict =
          CairnTraining.certifier(
                  stored,
                  spare ->
                      CairnTraining.resume(network(List.of(5, 0, 2)), TestData.shuffling(), spare),
                  EPOCHS)
              .certify(stored.checkpoints().get(0).id());

      assertThat(verdict).isInstanceOf(Verdict.Certified.class);
    }
  }

  @Test
  void anotherNetworkIsRefusedWithTheDifference() throws IOException {
    trainBefore(network(List.of(0, 2, 5), Activation.RELU));
    MultiLayerNetwork other = network(List.of(0, 2, 5), Activation.TANH);
    other.init();
    Digest digest = ModelDigest.of(other);

    try (CairnEngine cairn = open()) {
      assertThatThrownBy(
              () -> CairnTraining.resume(other, TestData.shuffling(), cairn.join("fold-1")))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("network is sha256 ")
          .hasMessageContaining("activationFn");
    }
    assertThat(ModelDigest.of(other)).isEqualTo(digest);
  }
}

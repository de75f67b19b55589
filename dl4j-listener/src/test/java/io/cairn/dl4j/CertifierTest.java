package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.StoredCheckpoints;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.training.Certifier;
import io.cairn.training.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.factory.Nd4j;

/** Checkpoints at STORE, replayed by a process that trains nothing else. */
class CertifierTest {
  private static final String GROUP = "fold-1";
  private static final int EPOCHS = 3;
  private static final int LAST = EPOCHS * TestData.MINIBATCHES - 1;

  @TempDir Path directory;

  private CairnEngine open() throws IOException {
    return CairnEngine.open(
        CairnConfig.of(
            Map.of(
                "store", directory.resolve("store").toString(),
                "node.dir", directory.resolve("node").toString(),
                "device.dir", directory.resolve("device").toString(),
                "device.cacheSize", "4m",
                "chunkSize", "4k",
                "keep", "4",
                "cadence", "fixed",
                "node.every", "2",
                "store.every", "4")));
  }

  /** Trains to the end, with a blow after an iteration and before its capture. */
  private static void train(CairnEngine cairn, int at, Consumer<MultiLayerNetwork> blow) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model trained, int iteration, int epoch) {
            if (iteration == at) {
              blow.accept(model);
            }
          }
        });
    try (CairnTraining run = CairnTraining.resume(model, TestData.shuffling(), cairn.join(GROUP))) {
      run.fit(EPOCHS);
      assertThat(run.statistics().failed() + run.statistics().skipped()).isZero();
    }
  }

  private static void train(CairnEngine cairn) {
    train(cairn, -1, model -> {});
  }

  private static Certifier certifier(CairnEngine cairn) {
    return certifier(cairn, spare -> resumed(TestNets.adam(), spare));
  }

  private static Certifier certifier(
      CairnEngine cairn, Function<Checkpointer, CairnTraining> program) {
    // another process has another generator state
    Nd4j.getRandom().setSeed(4711);
    return CairnTraining.certifier(cairn.stored(GROUP), program, EPOCHS);
  }

  private static CairnTraining resumed(MultiLayerNetwork model, Checkpointer spare) {
    return CairnTraining.resume(model, TestData.shuffling(), spare);
  }

  private static List<Long> iterations(StoredCheckpoints stored) {
    return stored.checkpoints().stream().map(each -> each.id().iteration()).toList();
  }

  @Test
  void everyCheckpointOfAnUndisturbedTrainingIsCertified() throws IOException {
    try (CairnEngine cairn = open()) {
      train(cairn);
      StoredCheckpoints stored = cairn.stored(GROUP);
      assertThat(iterations(stored)).containsExactly((long) LAST, 8L, 4L, 0L);

      Certifier certifier = certifier(cairn);
      for (long iteration : new long[] {LAST, 8, 4, 0}) {
        assertThat(certifier.certifyNewest())
            .get()
            .asInstanceOf(type(Verdict.Certified.class))
            .matches(certified -> certified.id().iteration() == iteration)
            .matches(
                certified -> certified.certificate().predecessor().isPresent() == iteration > 0);
      }

      assertThat(certifier.certifyNewest()).isEmpty();
      assertThat(stored.checkpoints()).allMatch(each -> each.certificate().isPresent());
      assertThat(directory.resolve("store/cairn/fold-1/e000001-i0000000008/CERTIFIED"))
          .content()
          .contains("from 1 4 ", "region parameters ", "fact openmp-threads ");
    }
  }

  @Test
  void aReplayLeavesTheTrainingAlone() throws IOException {
    try (CairnEngine cairn = open()) {
      train(cairn);
      assertThat(certifier(cairn).certifyNewest()).isPresent();

      try (Stream<Path> epochs = Files.list(directory.resolve("store/cairn/fold-1/epochs"))) {
        assertThat(epochs.map(each -> each.getFileName().toString()))
            .contains("000001")
            .doesNotContain("000002");
      }
      // the finished training resumes from its certified end, and trains nothing
      MultiLayerNetwork model = TestNets.adam();
      try (CairnTraining run = resumed(model, cairn.join(GROUP))) {
        run.fit(EPOCHS);
        assertThat(model.getIterationCount()).isEqualTo(LAST + 1);
      }
    }
  }

  @Test
  void aWayOverARollBackIsReplayedToo() throws IOException {
    try (CairnEngine cairn = open()) {
      MultiLayerNetwork model = TestNets.adam();
      model.init();
      try (CairnTraining run = resumed(model, cairn.join(GROUP))) {
        run.fit(2);
        assertThat(run.rollBackBefore(7, TestData.shuffling())).isPresent();
        run.fit(EPOCHS);
      }

      assertThat(certifier(cairn).certifyNewest())
          .get()
          .asInstanceOf(type(Verdict.Certified.class))
          .matches(certified -> certified.id().epoch() == 2);
    }
  }

  /** DL4J changes the rate of a frozen layer too, though nothing reads it. */
  private static MultiLayerNetwork slowingBesideAFrozenLayer() {
    MultiLayerNetwork model = TestNets.frozen();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void onEpochEnd(Model ended) {
            if (model.getEpochCount() == 0) {
              model.setLearningRate(0.003);
            }
          }
        });
    return model;
  }

  @Test
  void aChangedRateBesideAFrozenLayerIsCertified() throws IOException {
    try (CairnEngine cairn = open()) {
      try (CairnTraining run = resumed(slowingBesideAFrozenLayer(), cairn.join(GROUP))) {
        run.fit(EPOCHS);
      }

      assertThat(
              certifier(cairn, spare -> resumed(slowingBesideAFrozenLayer(), spare))
                  .certifyNewest())
          .get()
          .isInstanceOf(Verdict.Certified.class);
    }
  }

  /** A bit of a weight, the least there is, flips right before the capture. */
  @Test
  void memoryThatIsCorruptedBeforeTheCaptureIsRefuted() throws IOException {
    try (CairnEngine cairn = open()) {
      train(
          cairn,
          8,
          model ->
              model
                  .params()
                  .putScalar(
                      5,
                      Float.intBitsToFloat(
                          Float.floatToRawIntBits(model.params().getFloat(5)) ^ 1)));
      Certifier certifier = certifier(cairn);
      CheckpointId struck = new CheckpointId(cairn.stored(GROUP).member().group(), 1, 8);

      assertThat(certifier.certify(struck))
          .asInstanceOf(type(Verdict.Refuted.class))
          .matches(refuted -> refuted.differences().equals(List.of("parameters")));
      // the way from there on is right, but its start has no certificate
      assertThat(certifier.certifyNewest())
          .get()
          .asInstanceOf(type(Verdict.Certified.class))
          .matches(certified -> !certified.certificate().predecessor().orElseThrow().certified());
      assertThat(cairn.stored(GROUP).checkpoints().get(1).certificate()).isEmpty();
    }
  }

  /** Each gives a part of the state its value in a process that has not restored it. */
  static Stream<Consumer<MultiLayerNetwork>> forgotten() {
    MultiLayerNetwork fresh = TestNets.adam();
    fresh.init();
    return Stream.of(
        model -> model.params().assign(fresh.params()),
        model -> model.getUpdater().getStateViewArray().assign(0),
        model -> model.setIterationCount(0),
        model -> model.setEpochCount(0),
        model ->
            model.addListeners(
                new BaseTrainingListener() {
                  @Override
                  public void onEpochStart(Model started) {
                    Nd4j.getRandom().setSeed(1);
                  }
                }));
  }

  @ParameterizedTest
  @MethodSource("forgotten")
  void stateThatTheCaptureForgetsIsNotCertified(Consumer<MultiLayerNetwork> forget)
      throws IOException {
    try (CairnEngine cairn = open()) {
      train(cairn);
      Certifier certifier =
          certifier(
              cairn,
              spare -> {
                MultiLayerNetwork model = TestNets.adam();
                CairnTraining training = resumed(model, spare);
                forget.accept(model);
                return training;
              });

      CheckpointId target = new CheckpointId(cairn.stored(GROUP).member().group(), 1, 8);

      assertThat(certifier.certify(target)).isNotInstanceOf(Verdict.Certified.class);
      assertThat(cairn.stored(GROUP).checkpoints())
          .allMatch(stored -> stored.certificate().isEmpty());
    }
  }

  /** It never comes to the number of the checkpoint, which alone would decide nothing. */
  @Test
  void aForgottenIterationCounterIsRefuted() throws IOException {
    try (CairnEngine cairn = open()) {
      train(cairn);
      Certifier certifier =
          certifier(
              cairn,
              spare -> {
                MultiLayerNetwork model = TestNets.adam();
                CairnTraining training = resumed(model, spare);
                model.setIterationCount(0);
                return training;
              });

      assertThat(certifier.certifyNewest())
          .get()
          .asInstanceOf(type(Verdict.Refuted.class))
          .matches(
              refuted -> refuted.differences().equals(List.of("training-state: iteration")),
              "names the counter");
    }
  }

  @Test
  void aWatchIsOffByDefault() throws IOException {
    try (CairnEngine cairn = open()) {
      train(cairn);

      certifier(cairn)
          .watch(
              cairn.config().certifyEvery(),
              () -> true,
              verdict -> {
                throw new IllegalStateException("certified " + verdict.id());
              });

      assertThat(cairn.stored(GROUP).checkpoints())
          .allMatch(stored -> stored.certificate().isEmpty());
    }
  }

  @Test
  void aReplayThatEndsEarlyDecidesNothing() throws IOException {
    try (CairnEngine cairn = open()) {
      train(cairn);

      assertThat(
              CairnTraining.certifier(
                      cairn.stored(GROUP), spare -> resumed(TestNets.adam(), spare), EPOCHS - 1)
                  .certifyNewest())
          .get()
          .asInstanceOf(type(Verdict.Undecided.class))
          .matches(undecided -> undecided.reason().contains("without iteration " + LAST));
    }
  }

  @Test
  void anotherProgramIsRefusedByName() throws IOException {
    try (CairnEngine cairn = open()) {
      train(cairn);

      assertThatThrownBy(
              () ->
                  certifier(
                          cairn,
                          spare ->
                              CairnTraining.resume(TestNets.plain(), TestData.shuffling(), spare))
                      .certifyNewest())
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("network is sha256");
    }
  }

  @Test
  void aRegionThatHasNoAddressIsRefusedByName() throws IOException {
    try (CairnEngine cairn = open()) {
      train(cairn);

      assertThatThrownBy(
              () ->
                  certifier(
                          cairn,
                          spare -> {
                            spare.protect(Region.of("extra", new double[1]));
                            return resumed(TestNets.adam(), spare);
                          })
                      .certifyNewest())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("extra");
    }
  }
}

package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.RestoreReport;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two ranks that roll back together, each on a thread of its own. */
class CoupledGroupTest {
  private static final int EPOCHS = 3;
  private static final int RANKS = 2;
  private static final int NEVER = -1;

  @TempDir Path directory;

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** How one rank's attempt ended. */
  private record End(Optional<CheckpointId> from, Digest digest, boolean died) {}

  private static MultiLayerNetwork dyingAt(int deathIteration) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          private boolean died;

          @Override
          public void iterationDone(Model trained, int iteration, int epoch) {
            if (iteration == deathIteration && !died) {
              died = true;
              throw new DeathException();
            }
          }
        });
    return model;
  }

  private static End train(CairnEngine cairn, int rank, int deathIteration) {
    MultiLayerNetwork model = dyingAt(deathIteration);
    boolean died = false;
    CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), cairn.join("pair", rank, RANKS));
    try (run) {
      run.fit(EPOCHS);
    } catch (DeathException e) {
      died = true;
    }
    return new End(run.restored().map(report -> report.id()), ModelDigest.of(model), died);
  }

  /** A rank whose process lives on, and goes back with the rank that joins again. */
  private static End trainAndRejoin(CairnEngine cairn, int rank, int disturbedIteration) {
    MultiLayerNetwork model = dyingAt(disturbedIteration);
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), cairn.join("pair", rank, RANKS))) {
      assertThatThrownBy(() -> run.fit(EPOCHS)).isInstanceOf(DeathException.class);
      Optional<RestoreReport> back = run.rejoin(TestData.shuffling());
      run.fit(EPOCHS);
      assertThat(run.statistics().fenced()).isFalse();
      return new End(back.map(RestoreReport::id), ModelDigest.of(model), false);
    }
  }

  /** Runs each rank on a thread of its own. */
  private static List<End> together(List<Callable<End>> ranks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(RANKS);
    try {
      List<Future<End>> attempts = new ArrayList<>();
      for (Callable<End> rank : ranks) {
        attempts.add(threads.submit(rank));
      }
      List<End> ends = new ArrayList<>();
      for (Future<End> attempt : attempts) {
        ends.add(attempt.get(60, TimeUnit.SECONDS));
      }
      return ends;
    } finally {
      threads.shutdownNow();
    }
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
                "4m",
                "chunkSize",
                "4k",
                "closeTimeout",
                "1s")));
  }

  @Test
  void ranksThatDiedApartGoOnTogether() throws Exception {
    try (CairnEngine cairn = open()) {
      assertThat(together(List.of(() -> train(cairn, 0, 8), () -> train(cairn, 1, 6))))
          .extracting(End::died)
          .containsExactly(true, true);

      List<End> ends =
          together(List.of(() -> train(cairn, 0, NEVER), () -> train(cairn, 1, NEVER)));

      assertThat(ends).extracting(End::died).containsExactly(false, false);
      assertThat(ends.get(0).from()).isEqualTo(ends.get(1).from());
      assertThat(ends.get(0).from()).get().matches(id -> id.iteration() == 5);
      assertThat(ends).extracting(End::digest).containsOnly(undisturbed());
    }
  }

  @Test
  void aLivingRankRejoinsWithOneThatDied() throws Exception {
    try (CairnEngine cairn = open()) {
      List<End> ends =
          together(
              List.of(
                  () -> {
                    train(cairn, 0, 6);
                    return train(cairn, 0, NEVER);
                  },
                  () -> trainAndRejoin(cairn, 1, 8)));

      assertThat(ends.get(0).from()).isPresent().isEqualTo(ends.get(1).from());
      assertThat(ends).extracting(End::digest).containsOnly(undisturbed());
    }
  }

  private static Digest undisturbed() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.fit(TestData.shuffling(), EPOCHS);
    return ModelDigest.of(model);
  }
}

package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Digest;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.Cairn;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private static End train(Cairn cairn, int rank, int deathIteration) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model trained, int iteration, int epoch) {
            if (iteration == deathIteration) {
              throw new DeathException();
            }
          }
        });
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

  private static List<End> trainAll(Cairn cairn, int... deathIterations) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(RANKS);
    try {
      List<Future<End>> attempts = new ArrayList<>();
      for (int rank = 0; rank < RANKS; rank++) {
        int self = rank;
        attempts.add(threads.submit(() -> train(cairn, self, deathIterations[self])));
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

  @Test
  void ranksThatDiedApartGoOnTogether() throws Exception {
    CairnConfig config =
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
                "1s"));
    try (Cairn cairn = Cairn.open(config)) {
      assertThat(trainAll(cairn, 8, 6)).extracting(End::died).containsExactly(true, true);
      List<End> ends = trainAll(cairn, NEVER, NEVER);
      assertThat(ends).extracting(End::died).containsExactly(false, false);
      assertThat(ends.get(0).from()).isEqualTo(ends.get(1).from());
      assertThat(ends.get(0).from()).get().matches(id -> id.iteration() == 5);
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

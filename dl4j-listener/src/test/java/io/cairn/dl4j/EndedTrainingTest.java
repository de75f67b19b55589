package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.RestoreReport;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A training that ended trains nothing when it is run again, although few iterations are due. */
class EndedTrainingTest {
  private static final int EPOCHS = 25;
  private static final int LAST = EPOCHS * TestData.MINIBATCHES - 1;

  @TempDir Path directory;

  private CairnEngine open() throws IOException {
    CairnEngine cairn =
        CairnEngine.open(
            CairnConfig.of(
                Map.of(
                    "store", directory.resolve("store").toString(),
                    "node.dir", directory.resolve("node").toString(),
                    "device.dir", directory.resolve("device").toString(),
                    "device.cacheSize", "4m",
                    "chunkSize", "4k",
                    "device.every", "7",
                    "node.every", "14",
                    "store.every", "700")));
    cairn.install();
    return cairn;
  }

  /** The number of iterations that a training computed. */
  private static final class Computed extends BaseTrainingListener {
    private final AtomicInteger iterations = new AtomicInteger();

    @Override
    public void iterationDone(Model model, int iteration, int epoch) {
      iterations.incrementAndGet();
    }

    static Computed by(MultiLayerNetwork model) {
      Computed computed = new Computed();
      model.init();
      model.addListeners(computed);
      return computed;
    }

    int count() {
      return iterations.get();
    }
  }

  private int fit() throws IOException {
    MultiLayerNetwork model = TestNets.adam();
    Computed computed = Computed.by(model);
    try (CairnEngine cairn = open();
        CairnTraining run = CairnTraining.resume(model, TestData.shuffling(), "fold-1")) {
      run.fit(EPOCHS);
      assertThat(cairn.config().keep()).isPositive();
    }
    return computed.count();
  }

  @Test
  void aFinishedFitIsNotTrainedAgain() throws Exception {
    assertThat(fit()).isEqualTo(LAST + 1);

    assertThat(fit()).isZero();
  }

  @Test
  void anEndThatTheStoreMissedIsSentThereByTheNextRun() throws Exception {
    fit();
    deleteTree(directory.resolve("store/cairn/fold-1"), path -> path.toString().contains("-i"));

    assertThat(fit()).isZero();
    deleteTree(directory.resolve("node"), path -> true);

    assertThat(fit()).isZero();
  }

  private static void deleteTree(Path tree, Predicate<Path> which) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.filter(which).sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void theEndIsKeptAgainAfterARollBack() throws Exception {
    try (CairnEngine cairn = open();
        CairnTraining run = CairnTraining.resume(TestNets.adam(), TestData.shuffling(), "fold-1")) {
      run.fit(EPOCHS);
      run.rollBackBefore(LAST, TestData.shuffling());
      run.fit(EPOCHS);
      assertThat(cairn.config().keep()).isPositive();
    }

    try (CairnEngine cairn = open();
        Checkpointer later = cairn.join("fold-1")) {
      assertThat(later.checkpoints().get(0).id())
          .matches(id -> id.epoch() == 2 && id.iteration() == LAST);
    }
  }

  /** A loop of the program's own, which ends by {@link CairnListener#end()}. */
  private int loop() throws IOException {
    MultiLayerNetwork model = TestNets.adam();
    Computed computed = Computed.by(model);
    try (CairnEngine cairn = open();
        Checkpointer checkpointer = cairn.join("own-loop")) {
      CairnListener listener = new CairnListener(checkpointer);
      long from = listener.restore(model).map(EndedTrainingTest::next).orElse(0L);
      model.addListeners(listener);
      for (long i = from; i <= LAST; i++) {
        model.fit(TestData.shuffling().next());
      }
      listener.end();
    }
    return computed.count();
  }

  private static long next(RestoreReport report) {
    return report.id().iteration() + 1;
  }

  @Test
  void anEndedLoopIsNotTrainedAgain() throws Exception {
    assertThat(loop()).isEqualTo(LAST + 1);

    assertThat(loop()).isZero();
  }
}

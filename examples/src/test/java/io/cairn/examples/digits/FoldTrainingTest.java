package io.cairn.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Cairn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One epoch of one fold, undisturbed and killed. */
class FoldTrainingTest {
  private static final FoldTraining FOLD = new FoldTraining(1, 42, 1);
  private static final int ITERATIONS = 43;

  @TempDir Path directory;

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private Cairn open(String job) throws IOException {
    return Cairn.open(
        Map.of(
            "job",
            job,
            "store",
            directory.resolve("store").toString(),
            "node.dir",
            directory.resolve("node").toString(),
            "device.dir",
            directory.resolve("device").toString(),
            "device.cacheSize",
            "16m",
            "chunkSize",
            "64k"));
  }

  @Test
  void aKilledFoldEndsLikeAnUndisturbedOne() throws IOException {
    List<Integer> progress = new ArrayList<>();
    FoldTraining.Result undisturbed;
    try (Cairn cairn = open("undisturbed")) {
      undisturbed = FOLD.train(cairn.join(FOLD.group()), progress::add);
    }
    assertThat(FOLD.iterations()).isEqualTo(ITERATIONS);
    assertThat(progress)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, ITERATIONS).boxed().toList());
    assertThat(undisturbed.iterations()).isEqualTo(ITERATIONS);
    assertThat(undisturbed.restored()).isEmpty();
    // chance is 0.1
    assertThat(undisturbed.accuracy()).isGreaterThan(0.5);

    try (Cairn cairn = open("killed")) {
      assertThatThrownBy(() -> FOLD.train(cairn.join(FOLD.group()), FoldTrainingTest::dieAtTwenty))
          .isInstanceOf(DeathException.class);
      FoldTraining.Result resumed = FOLD.train(cairn.join(FOLD.group()), done -> {});
      assertThat(resumed.restored()).get().matches(report -> report.id().iteration() == 18);
      assertThat(resumed.digest()).isEqualTo(undisturbed.digest());
      assertThat(resumed.accuracy()).isEqualTo(undisturbed.accuracy());
      assertThat(resumed.statistics().captured()).isEqualTo(ITERATIONS - 19);
    }
  }

  private static void dieAtTwenty(int done) {
    if (done == 20) {
      throw new DeathException();
    }
  }

  @Test
  void impossibleFoldsAreRefused() {
    assertThatThrownBy(() -> new FoldTraining(4, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fold 4 of 4");
  }
}

package io.cairn.examples.averaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.examples.averaging.WatchedWorkers.Death;
import io.cairn.examples.averaging.WatchedWorkers.Trained;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers of DL4J's parameter averaging, whose tasks Spark runs again inside a round. */
class ResumedWorkerTest {
  @TempDir Path temporary;

  @Test
  @Timeout(180)
  void aTaskThatFailedTrainsOnlyTheRest() throws IOException {
    Path disturbed = temporary.resolve("disturbed");
    String digests = AveragingApplication.run(disturbed, 0, Death.EXCEPTION);

    requireResumed(disturbed);
    assertThat(digests)
        .isEqualTo(AveragingApplication.run(temporary.resolve("undisturbed"), 0, Death.NEVER));
  }

  /** The worker that died, and the one in its place, trained each minibatch once. */
  static void requireResumed(Path directory) throws IOException {
    List<Trained> all = WatchedWorkers.read(directory.resolve(AveragingApplication.TRAINED));
    for (String training : List.of(AveragingApplication.LAYERS, AveragingApplication.GRAPH)) {
      assertThat(all)
          .filteredOn(
              one ->
                  one.training().equals(training)
                      && one.round() == WatchedWorkers.DIES_IN_ROUND
                      && one.partition() == WatchedWorkers.DIES_IN_PARTITION)
          .extracting(Trained::attempt)
          .as("attempts that trained the minibatches of a worker of %s", training)
          .containsExactly(0, 0, 1, 1);
    }
  }
}

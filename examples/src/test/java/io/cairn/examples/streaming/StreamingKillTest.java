package io.cairn.examples.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that are killed in a batch, and started again with the same notes of Spark. */
class StreamingKillTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir Path directory;

  private static ChildProcess start(Path stream, Path cairn, String waitsAt) throws IOException {
    List<String> opened =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens"))
            .toList();
    return Command.java(StreamingProcess.class, stream, cairn, waitsAt)
        .options(opened)
        .small(512)
        .start();
  }

  /** The weights of a training in one loop, without Spark and Cairn. */
  private static String undisturbed() {
    double[] weights = new double[StreamingTraining.WEIGHTS];
    for (long batch = 0; batch <= StreamingProcess.LAST; batch++) {
      double[] before = weights.clone();
      for (int partition = 0; partition < 2; partition++) {
        double[] sum = new double[weights.length];
        for (int row = partition; row < StreamingProcess.ROWS; row += 2) {
          StreamingTraining.add(sum, before, (double) (batch * StreamingProcess.ROWS + row));
        }
        StreamingTraining.descend(weights, sum);
      }
    }
    return Arrays.toString(weights);
  }

  private void killAt(String firstStep, String step) throws IOException, InterruptedException {
    try (ChildProcess process = start(stream(), cairn(), step)) {
      process.await(firstStep, PATIENCE);
      process.await(step, PATIENCE);
      process.kill();
    }
  }

  private Path stream() {
    return directory.resolve("stream");
  }

  private Path cairn() {
    return directory.resolve("cairn");
  }

  /**
   * Killed before the batch is sealed, and before Spark knows that it is done. Spark runs the batch
   * again both times: the state lacks it first, and contains it then.
   */
  @Test
  void everyBatchCountsOnce() throws Exception {
    killAt("sealed 0", "learned 1");
    killAt("learned 1", "sealed 3");
    try (ChildProcess process = start(stream(), cairn(), "never")) {
      process.await("skipped 3", PATIENCE);

      assertThat(process.await(StreamingProcess.WEIGHTS, PATIENCE)).isEqualTo(undisturbed());
      assertThat(process.exitStatus()).isZero();
    }
  }

  @Test
  @Tag("proof")
  void aStateThatMissesABatchIsRefused() throws Exception {
    killAt("sealed 0", "sealed 3");
    Path empty = directory.resolve("empty");

    try (ChildProcess process = start(stream(), empty, "never")) {
      assertThat(process.rest()).noneMatch(line -> line.startsWith(StreamingProcess.WEIGHTS));
      assertThat(process.exitStatus()).isNotZero();
    }
  }
}

package io.cairn.examples.averaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.examples.averaging.WatchedWorkers.Death;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver that is killed, and the application that is started again. Each one takes seconds. */
@Tag("proof")
class AveragingKillTest {
  private static final Duration PATIENCE = Duration.ofMinutes(6);
  private static final int KILLED_IN = 3;

  @TempDir Path temporary;

  private String undisturbed = "";

  private static ChildProcess start(Path directory, int executors, Death death) throws IOException {
    // a killed driver leaves the directories of its workers behind
    Path own = Files.createDirectories(directory.resolve("tmp"));
    List<String> opened =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens"))
            .toList();
    return Command.java(AveragingApplication.class, directory, executors, death)
        .options(opened)
        .options("-Djava.io.tmpdir=" + own)
        .small(768)
        .environment("OMP_NUM_THREADS", "1")
        .start();
  }

  @BeforeEach
  void trainUndisturbed() throws IOException {
    try (ChildProcess application = start(temporary.resolve("undisturbed"), 0, Death.NEVER)) {
      undisturbed = application.await(AveragingApplication.DIGESTS, PATIENCE);
    }
  }

  /** Kills the driver, and with it all executors, in a round of the first network. */
  private void killAndResume(int executors) throws IOException, InterruptedException {
    Path directory = temporary.resolve("killed");
    try (ChildProcess first = start(directory, executors, Death.NEVER)) {
      first.await(AveragingApplication.ROUND + KILLED_IN, PATIENCE);
      first.killTree();
    }
    try (ChildProcess second = start(directory, executors, Death.NEVER)) {
      String[] completed = second.await(AveragingApplication.RESUMED, PATIENCE).split(" ", 2);
      assertThat(completed)
          .allSatisfy(rounds -> assertThat(Integer.parseInt(rounds)).isBetween(1, KILLED_IN));
      assertThat(second.await(AveragingApplication.DIGESTS, PATIENCE)).isEqualTo(undisturbed);
    }
  }

  /** Both networks, with workers in the driver's process. */
  @Test
  void anApplicationWithLocalWorkersGoesOn() throws IOException, InterruptedException {
    killAndResume(0);
  }

  /** The same bits from executors in processes of their own. */
  @Test
  void anApplicationWithExecutorsGoesOn() throws IOException, InterruptedException {
    killAndResume(2);
  }

  /** Spark runs the worker's task again, on another executor or a new one. */
  @Test
  void aWorkerGoesOnWhereADeadExecutorWas() throws IOException {
    Path directory = temporary.resolve("exited");
    try (ChildProcess application = start(directory, 2, Death.EXIT)) {
      assertThat(application.await(AveragingApplication.DIGESTS, PATIENCE)).isEqualTo(undisturbed);
    }
    ResumedWorkerTest.requireResumed(directory);
  }
}

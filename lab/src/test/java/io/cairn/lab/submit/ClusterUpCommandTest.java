package io.cairn.lab.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.Laboratory;
import io.cairn.lab.toy.ToyApplication;
import io.cairn.lab.toy.ToyBystander;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command in a process of its own, as a user starts it. */
@Timeout(600)
class ClusterUpCommandTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir Path directory;

  private ChildProcess up(String... more) throws IOException {
    List<Object> words = new ArrayList<>(List.of("cluster", "up", "--dir", directory));
    words.addAll(List.of("--workers", "1"));
    words.addAll(List.of(more));
    return Command.java(Laboratory.class, words.toArray()).small(256).withErrorsInOutput().start();
  }

  /** A job that does not use Cairn, by the script and the master of the script's settings. */
  private void submit() throws IOException, InterruptedException {
    Path script = directory.resolve("spark-submit");
    Path out = Files.createDirectories(directory.resolve("out"));
    int status =
        Command.of(script.toString(), "--class", ToyBystander.class.getName())
            .options("--executor-memory", "512m", "--conf", "spark.ui.enabled=false")
            .options(directory.resolve("toy.jar").toString(), out.toString())
            .errorsTo(directory.resolve("submit.log"))
            .run();
    assertThat(status).as("see %s", directory.resolve("submit.log")).isZero();
    assertThat(Files.readAllLines(out.resolve(ToyApplication.RESULT)))
        .isEqualTo(ToyBystander.undisturbed());
  }

  /** An end as by Ctrl-C, which a process in the background may ignore; and sudden death. */
  @ParameterizedTest
  @ValueSource(strings = {"TERM", "KILL"})
  void itsProcessesEndWithIt(String signal) throws IOException, InterruptedException {
    try (ChildProcess command = up()) {
      String master = command.await("master  spark://", PATIENCE);
      assertThat(command.await("    --class ", PATIENCE)).isEqualTo("FirstJob target/first.jar");
      List<ProcessHandle> processes =
          ProcessHandle.of(command.pid()).orElseThrow().descendants().toList();
      assertThat(processes).hasSizeGreaterThanOrEqualTo(4); // a shell and a JVM, twice
      assertThat(master).contains("its page http://");
      if (signal.equals("TERM")) {
        submit();
      } else {
        assertASecondOneIsRefused();
        assertThat(command.isAlive()).isTrue();
      }

      assertThat(ChildProcess.signal(signal, command.pid())).isTrue();

      for (ProcessHandle process : processes) {
        process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
      }
    }
  }

  private void assertASecondOneIsRefused() throws IOException, InterruptedException {
    try (ChildProcess second = up()) {
      assertThat(second.rest()).anyMatch(line -> line.contains("end it, or give another --dir"));
      assertThat(second.exitStatus()).isEqualTo(2);
    }
  }

  @Test
  void aMemoryThatSparkDoesNotKnowIsRefused() throws IOException, InterruptedException {
    try (ChildProcess command = up("--memory", "much")) {
      assertThat(command.rest()).anyMatch(line -> line.contains("such as 512m or 2g"));
      assertThat(command.exitStatus()).isEqualTo(2);
    }
  }
}

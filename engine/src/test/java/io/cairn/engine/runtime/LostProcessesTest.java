package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four processes without Spark, on machines of their own, all of which are killed. One machine is
 * lost with all that it held; STORE has the first iteration alone.
 */
@Timeout(300)
class LostProcessesTest {
  private static final int SIZE = 4;
  private static final int LOST = 1;

  @TempDir private Path root = Path.of("");

  private final List<ChildProcess> processes = new ArrayList<>();
  private MeetingPort port;

  @BeforeEach
  void choosePort() throws IOException {
    port = MeetingPort.free();
  }

  @AfterEach
  void end() {
    processes.forEach(ChildProcess::close);
  }

  private void start(int iterations) throws IOException {
    processes.clear();
    for (int rank = 0; rank < SIZE; rank++) {
      processes.add(
          Command.java(
                  GroupTraining.class,
                  root,
                  rank,
                  SIZE,
                  port,
                  iterations,
                  "peer",
                  "xor:3",
                  "peer.domain",
                  "node",
                  "peer.every",
                  "4",
                  "store.every",
                  "1000000")
              .small(64)
              .errorsTo(root.resolve("errors-" + rank))
              .start());
    }
  }

  @Test
  void aLostMachineIsRebuiltFromTheOthers() throws Exception {
    start(1_000_000);
    for (ChildProcess each : processes) {
      String unused = each.await("PEER 4");
    }
    for (ChildProcess each : processes) {
      each.kill();
    }
    try (Stream<Path> files = Files.walk(root.resolve("machine-" + LOST))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }

    start(1);

    List<String> resumed = new ArrayList<>();
    for (ChildProcess each : processes) {
      resumed.add(each.await("from "));
      assertThat(each.await("exact ")).isEqualTo("true");
    }
    assertThat(resumed).containsOnly(resumed.get(0));
    assertThat(Long.parseLong(resumed.get(0).split(" ", -1)[0])).isGreaterThanOrEqualTo(4);
  }
}

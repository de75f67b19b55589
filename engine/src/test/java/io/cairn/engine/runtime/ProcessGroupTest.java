package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three processes of one group, without Spark. One is killed; all resume together. */
@Timeout(300)
class ProcessGroupTest {
  private static final int SIZE = 3;
  private static final int ITERATIONS = 30;

  /** The victim is killed when this iteration is sealed at NODE. */
  private static final int KILLED_AT = 8;

  @TempDir private Path root = Path.of("");

  private final List<ChildProcess> processes = new ArrayList<>();
  private MeetingPort port;

  @BeforeEach
  void startInOrder() throws Exception {
    port = MeetingPort.free();
    processes.add(start(0));
    // the first rank hosts the coordinator, since no other process exists yet
    port.awaitHost();
    for (int rank = 1; rank < SIZE; rank++) {
      processes.add(start(rank));
    }
  }

  @AfterEach
  void end() {
    processes.forEach(ChildProcess::close);
  }

  private ChildProcess start(int rank) throws IOException {
    return Command.java(GroupTraining.class, root, rank, SIZE, port.toString(), ITERATIONS)
        .small(64)
        .errorsTo(root.resolve("errors-" + rank))
        .start();
  }

  @Test
  void aKilledMemberReturnsAndAllResumeTogether() throws Exception {
    killAndResume(1);
  }

  @Test
  void aKilledHostReturnsAndAllResumeTogether() throws Exception {
    killAndResume(0);
  }

  private void killAndResume(int victim) throws Exception {
    List<String> before = until(victim, "NODE " + KILLED_AT);
    processes.get(victim).kill();
    before.addAll(processes.get(victim).rest());
    processes.set(victim, start(victim));

    for (int rank = 0; rank < SIZE; rank++) {
      List<String> lines = until(rank, "exact");
      List<String> resumed = lines.stream().filter(line -> line.startsWith("from ")).toList();
      String last = resumed.get(resumed.size() - 1);
      assertThat(lines).as("rank %d", rank).endsWith("exact true");
      assertThat(last).as("rank %d", rank).endsWith(" in 2");
      assertThat(Long.parseLong(last.split(" ", -1)[1]))
          .as("rank %d resumes from the newest that the victim saw sealed", rank)
          .isGreaterThanOrEqualTo(newestSealed(before));
    }
    for (ChildProcess process : processes) {
      assertThat(process.exitStatus()).isZero();
    }
  }

  private static long newestSealed(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith("NODE ") || line.startsWith("STORE "))
        .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]))
        .max()
        .orElseThrow();
  }

  /** The lines of a rank up to the first with this beginning. */
  private List<String> until(int rank, String beginning) throws Exception {
    List<String> lines = new ArrayList<>();
    while (lines.isEmpty() || !lines.get(lines.size() - 1).startsWith(beginning)) {
      lines.add(
          processes
              .get(rank)
              .line(ChildProcess.PATIENCE)
              .orElseThrow(() -> new AssertionError("rank " + rank + " ended after " + lines)));
    }
    return lines;
  }
}

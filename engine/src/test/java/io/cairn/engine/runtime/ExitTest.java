package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.RestoreReport;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes outside Spark that end in order while they train. */
@Timeout(120)
class ExitTest {
  private static final String[] SELDOM = {"node.every", "100", "store.every", "1000000"};

  @TempDir Path root;

  /** Only the first iteration was due at STORE. */
  @Test
  void terminationRescuesTheNewestCheckpointAndLeavesNoArena() throws Exception {
    try (ChildProcess training =
        Command.java(KilledTraining.class, root, SELDOM[0], SELDOM[1], SELDOM[2], SELDOM[3])
            .small(64)
            .withoutErrors()
            .start()) {
      training.await("NODE e000001-i0000000100");
      ChildProcess.signal("TERM", training.pid());
      assertThat(training.waitFor(ChildProcess.PATIENCE)).isTrue();
    }

    try (Stream<Path> arenas = Files.list(root.resolve("device/arenas"))) {
      assertThat(arenas).isEmpty();
    }
    Files.move(new Places(root).node(), root.resolve("lost"));
    try (CairnEngine cairn = new Places(root).open(SELDOM);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();

      assertThat(report.id().iteration()).isGreaterThanOrEqualTo(100);
      assertThat(toy).isEqualTo(Toy.undisturbed(report.id().iteration() + 1));
    }
  }

  /** Its work is done, and the platform takes the machine away before all has arrived. */
  @Test
  void aTerminationWaitsForACloseThatIsUnderWay() throws Exception {
    try (ChildProcess training =
        Command.java(EndingTraining.class, root).small(64).withoutErrors().start()) {
      training.await("closing");
      ChildProcess.signal("TERM", training.pid());
      training.await("ending");
      Files.createFile(EndingTraining.release(root));
      assertThat(training.waitFor(ChildProcess.PATIENCE)).isTrue();
    }

    assertThat(new Places(root).store().resolve("test/run/e000001-i0000000000/MANIFEST")).exists();
  }
}

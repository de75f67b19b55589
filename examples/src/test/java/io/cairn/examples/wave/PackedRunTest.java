package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.adjoint.AdjointReport;
import io.cairn.adjoint.AdjointRunner;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.schedule.Schedules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compressed fields that were lost are computed again with the same bits. */
class PackedRunTest {
  private static final int STEPS = 120;

  @TempDir Path directory;
  private final Shots shots = new Shots(Survey.plane(new Grid(61, 41, 20, 25), STEPS));

  private static final class EndException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** A life of a migration, which may end before its run does. */
  private AdjointReport live(Path root, Migration migration, int callsLeft) throws IOException {
    Files.createDirectories(root);
    Map<String, String> config =
        Map.of(
            "job", "wave",
            "store", root.resolve("store").toString(),
            "node.dir", root.resolve("node").toString(),
            "device.dir", root.resolve("device").toString(),
            "device.cacheSize", "16m",
            "chunkSize", "1m",
            "node.every", "1");
    HistorySettings settings = new HistorySettings(1 << 20, root.resolve("states"), 64 << 20);
    try (Cairn cairn = Cairn.open(config);
        Checkpointer checkpointer = cairn.join("shot");
        History history = History.resume(root.resolve("memory"), settings)) {
      return new AdjointRunner(history, checkpointer, 20)
          .run(ending(migration, callsLeft), Schedules.storeAll(STEPS));
    }
  }

  /** A migration that ends after some calls; -1 for one that does not. */
  private static Watched ending(Migration migration, int calls) {
    AtomicInteger left = new AtomicInteger(calls);
    return new Watched(
        migration,
        (phase, step) -> {
          if (left.decrementAndGet() == 0) {
            throw new EndException();
          }
        });
  }

  @Test
  void lostFieldsAreComputedAgain() throws IOException {
    Migration expected = shots.migration(new Source(750), 1e-3);
    live(directory.resolve("whole"), expected, -1);
    for (int calls : new int[] {50, STEPS + 1, STEPS + 30}) {
      Path root = directory.resolve("ended" + calls);
      try {
        live(root, shots.migration(new Source(750), 1e-3), calls);
      } catch (EndException e) {
        Migration found = shots.migration(new Source(750), 1e-3);
        AdjointReport report = live(root, found, -1);
        assertThat(found.image()).as("%d calls, %s", calls, report).isEqualTo(expected.image());
        continue;
      }
      throw new AssertionError("it did not end");
    }
  }
}

package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two real processes on one store: one winner per name, and every winner's bytes intact. */
class RacingProcessesTest {
  private static final int RACERS = 2;

  @Test
  void raceOnLocalFiles(@TempDir Path directory) throws Exception {
    race(directory.resolve("store").toString(), 300);
  }

  @Test
  void raceOnHdfs() throws Exception {
    race(EmbeddedHdfs.freshRoot().toString(), 25);
  }

  private static void race(String where, int names) throws Exception {
    List<ChildProcess> racers = new ArrayList<>();
    try {
      for (int i = 0; i < RACERS; i++) {
        racers.add(start(where, i, names));
      }
      Map<String, Integer> winners = run(racers);
      try (CheckpointStore store = CheckpointStores.openForReading(where)) {
        check(store, winners, names);
      }
    } finally {
      racers.forEach(ChildProcess::close);
    }
  }

  private static ChildProcess start(String where, int self, int names) throws IOException {
    return Command.java(RacingWriter.class, where, self, names).small(256).start();
  }

  /** Starts all at once, when all are ready, and returns the winner of each name. */
  private static Map<String, Integer> run(List<ChildProcess> racers) throws Exception {
    for (ChildProcess racer : racers) {
      assertThat(racer.line(ChildProcess.PATIENCE)).contains("READY");
    }
    for (ChildProcess racer : racers) {
      racer.send();
    }
    Map<String, Integer> winners = new HashMap<>();
    for (int i = 0; i < RACERS; i++) {
      List<String> lines = racers.get(i).rest();
      assertThat(lines).as("racer %d", i).isNotEmpty().endsWith("DONE");
      for (String won : lines.subList(0, lines.size() - 1)) {
        assertThat(winners.put(won, i)).as("another winner of %s", won).isNull();
      }
      assertThat(racers.get(i).exitStatus()).isZero();
    }
    return winners;
  }

  private static void check(CheckpointStore store, Map<String, Integer> winners, int names)
      throws IOException {
    assertThat(winners).hasSize(2 * names);
    assertThat(store.list("published")).hasSize(names);
    for (int name = 0; name < names; name++) {
      for (String path : List.of("created/" + name, "published/" + name)) {
        Integer winner = winners.get(path);
        assertThat(winner).as("winner of %s", path).isNotNull();
        assertThat(StoreFiles.read(store, path))
            .as("%s, won by %d", path, winner)
            .isEqualTo(RacingWriter.content(winner, name));
      }
    }
  }
}

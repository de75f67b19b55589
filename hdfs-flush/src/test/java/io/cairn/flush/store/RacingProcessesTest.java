package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
    List<Process> racers = new ArrayList<>();
    try {
      for (int i = 0; i < RACERS; i++) {
        racers.add(start(where, i, names));
      }
      Map<String, Integer> winners = run(racers);
      try (CheckpointStore store = CheckpointStores.openForReading(where)) {
        check(store, winners, names);
      }
    } finally {
      racers.forEach(Process::destroyForcibly);
    }
  }

  private static Process start(String where, int self, int names) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            RacingWriter.class.getName(),
            where,
            Integer.toString(self),
            Integer.toString(names))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Lets all go at once, when all are ready, and returns who won what. */
  private static Map<String, Integer> run(List<Process> racers) throws Exception {
    List<BufferedReader> outputs = new ArrayList<>();
    for (Process racer : racers) {
      BufferedReader output = racer.inputReader(StandardCharsets.US_ASCII);
      assertThat(output.readLine()).isEqualTo("READY");
      outputs.add(output);
    }
    for (Process racer : racers) {
      racer.getOutputStream().write('\n');
      racer.getOutputStream().flush();
    }
    Map<String, Integer> winners = new HashMap<>();
    for (int i = 0; i < RACERS; i++) {
      List<String> lines = outputs.get(i).lines().toList();
      assertThat(lines).as("racer %d", i).isNotEmpty().endsWith("DONE");
      for (String won : lines.subList(0, lines.size() - 1)) {
        assertThat(winners.put(won, i)).as("another winner of %s", won).isNull();
      }
      assertThat(racers.get(i).waitFor(30, TimeUnit.SECONDS)).isTrue();
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

package io.cairn.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Cadence;
import io.cairn.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CadenceWatchTest {
  private static final Map<Level, Long> FIRST =
      Map.of(Level.DEVICE, 1L, Level.NODE, 10L, Level.STORE, 50L);
  private static final Map<Level, Long> SECOND =
      Map.of(Level.DEVICE, 1L, Level.NODE, 20L, Level.STORE, 60L);

  @TempDir Path directory;
  private Optional<Cadence> newest = Optional.empty();

  @Test
  void writesTheFirstPlanWhereTheAttemptBeganAndEachOtherWhereItHolds() throws IOException {
    try (FoldLog log = new FoldLog(directory, 0)) {
      CadenceWatch watch = new CadenceWatch(() -> newest, log);
      watch.look(151);
      newest = Optional.of(report(0, 7, FIRST, "start", "start", 0));
      watch.look(152);
      watch.look(153);
      newest = Optional.of(report(1, 200, SECOND, "within", "optimum", 3));
      watch.look(180);
      newest = Optional.of(report(1, 200, SECOND, "within", "optimum", 4));
      watch.look(181);
    }

    assertThat(attempt().events(FoldEvent.Cadence.class))
        .containsExactly(
            cadence(150, 10, 50, "start"), cadence(200, 20, 60, "node within, store optimum"));
    assertThat(attempt().events(FoldEvent.Waste.class))
        .containsExactly(new FoldEvent.Waste(3, 0.01, 0.02), new FoldEvent.Waste(4, 0.01, 0.02));
  }

  private Attempt attempt() throws IOException {
    Timeline timeline = new Timeline(directory);
    timeline.poll();
    return timeline.newest(0).orElseThrow();
  }

  private static FoldEvent.Cadence cadence(long at, long node, long store, String bound) {
    return new FoldEvent.Cadence(at, 1, node, store, 25, Double.NaN, 4, Double.NaN, 0.03, bound);
  }

  private static Cadence report(
      long version,
      long from,
      Map<Level, Long> periods,
      String node,
      String store,
      double seconds) {
    Map<Level, Cadence.Of> levels =
        Map.of(
            Level.DEVICE,
            new Cadence.Of(periods.getOrDefault(Level.DEVICE, 0L), "", Double.NaN, Double.NaN),
            Level.NODE,
            new Cadence.Of(periods.getOrDefault(Level.NODE, 0L), node, 0, 0.004),
            Level.STORE,
            new Cadence.Of(periods.getOrDefault(Level.STORE, 0L), store, Double.NaN, Double.NaN));
    return new Cadence(version, from, levels, 0.025, 0.03, 0.01, 0.02, seconds);
  }
}

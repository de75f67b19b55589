package io.cairn.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.cadence.Learned;
import io.cairn.core.cadence.PeriodBound;
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
  private Optional<CadenceReport> newest = Optional.empty();

  @Test
  void writesTheFirstPlanWhereTheAttemptBeganAndEachOtherWhereItHolds() throws IOException {
    try (FoldLog log = new FoldLog(directory, 0)) {
      CadenceWatch watch = new CadenceWatch(() -> newest, log);
      watch.look(151);
      newest = Optional.of(report(0, 7, FIRST, PeriodBound.START, PeriodBound.START, 0));
      watch.look(152);
      watch.look(153);
      newest = Optional.of(report(1, 200, SECOND, PeriodBound.WITHIN, PeriodBound.OPTIMUM, 3));
      watch.look(180);
      newest = Optional.of(report(1, 200, SECOND, PeriodBound.WITHIN, PeriodBound.OPTIMUM, 4));
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

  private static CadenceReport report(
      long version,
      long from,
      Map<Level, Long> periods,
      PeriodBound node,
      PeriodBound store,
      double seconds) {
    Map<Level, PeriodBound> bounds = Map.of(Level.NODE, node, Level.STORE, store);
    Learned learned =
        new Learned(
            periods,
            bounds,
            seconds,
            0.025,
            Map.of(),
            Map.of(Level.NODE, new Learned.Cost(0, 0.004, 0)));
    return new CadenceReport(
        new CadencePlan(version, from, periods),
        bounds,
        Optional.of(learned),
        0.03,
        0.01,
        0.02,
        seconds);
  }
}

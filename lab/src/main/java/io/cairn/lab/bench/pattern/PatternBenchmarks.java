package io.cairn.lab.bench.pattern;

import io.cairn.lab.bench.flow.Forks;
import io.cairn.lab.bench.flow.Lengths;
import io.cairn.lab.bench.pattern.PatternMeasurements.Simulated;
import io.cairn.lab.bench.pattern.PatternMeasurements.Timed;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.pattern.FailureModel;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Measures everything, one after the other. Used once; one thread. */
final class PatternBenchmarks {
  private static final double OPTIMUM_MICROS = 20_000;
  private static final double EVALUATION_MICROS = 2;
  private static final double EVENTS_PER_SECOND = 10e6;

  private final Lengths lengths;
  private final boolean quick;
  private final Consumer<String> progress;

  /**
   * @param quick whether each measurement is cut short, and not every platform is measured
   * @param progress gets a line per measurement
   */
  PatternBenchmarks(boolean quick, Consumer<String> progress) {
    this.quick = quick;
    this.progress = progress;
    lengths = quick ? Lengths.QUICK : Lengths.FULL;
  }

  /**
   * Runs all.
   *
   * @throws IOException if a measurement fails, naming the log
   */
  PatternMeasurements run() throws IOException, InterruptedException {
    List<FourLevels> platforms = quick ? List.of(FourLevels.SET_B) : List.of(FourLevels.values());
    List<Timed> timed = new ArrayList<>();
    List<Simulated> simulated = new ArrayList<>();
    try (Forks forks = new Forks()) {
      for (FourLevels platform : platforms) {
        timed.add(time(forks, "optimum", platform, FailureModel.EVERYWHERE, OPTIMUM_MICROS));
      }
      for (FailureModel failures : FailureModel.values()) {
        timed.add(time(forks, "evaluation", FourLevels.SET_B, failures, EVALUATION_MICROS));
      }
      for (FourLevels platform : platforms) {
        simulated.add(simulate(forks, platform, FailureModel.EVERYWHERE));
      }
      simulated.add(simulate(forks, FourLevels.SET_B, FailureModel.COMPUTATION_ONLY));
      simulated.add(simulate(forks, FourLevels.SET_B, FailureModel.ATOMIC_CHAIN_EXCEPT_RECOVERY));
    }
    return new PatternMeasurements(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        MeasuredMachine.current(),
        Forks.jvmArguments(),
        quick,
        timed,
        simulated);
  }

  private Timed time(
      Forks forks, String method, FourLevels platform, FailureModel failures, double bar)
      throws IOException {
    Map<String, Object> parameters = Map.of("platform", platform, "failures", failures.name());
    Forks.Score score =
        forks.run(PatternBenchmark.class, method, parameters, lengths, Forks.Besides.NOTHING);
    progress.accept(
        String.format(
            Locale.ROOT, "%s, %s, %s: %.3f µs", method, platform, failures, score.micros()));
    return new Timed(method, platform, failures.toString(), score.micros(), score.error(), bar);
  }

  private Simulated simulate(Forks forks, FourLevels platform, FailureModel failures)
      throws IOException, InterruptedException {
    Map<String, Object> parameters = Map.of("platform", platform, "failures", failures.name());
    Forks.Score score =
        forks.run(
            SimulationBenchmark.class, "simulate", parameters, lengths, Forks.Besides.NOTHING);
    double rate = SimulationBenchmark.events(platform, failures) / score.micros() * 1e6;
    progress.accept(
        String.format(
            Locale.ROOT,
            "simulation, %s, %s: %.1f million events/s",
            platform,
            failures,
            rate / 1e6));
    return new Simulated(platform, failures.toString(), rate, EVENTS_PER_SECOND);
  }
}

package io.cairn.lab.bench.pattern;

import io.cairn.lab.failure.ExponentialFailures;
import io.cairn.lab.failure.Exposure;
import io.cairn.lab.failure.PatternSimulator;
import io.cairn.lab.failure.Sampling;
import io.cairn.lab.failure.SimulatedLevel;
import io.cairn.lab.failure.SimulatedPattern;
import io.cairn.lab.failure.SimulationResult;
import io.cairn.lab.failure.SimulationRules;
import io.cairn.lab.pattern.CheckpointLevel;
import io.cairn.lab.pattern.FirstOrder;
import io.cairn.lab.pattern.LevelStack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Many runs of a pattern of 24 segments and four levels under failures, on one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SimulationBenchmark {
  private static final Sampling SAMPLING = new Sampling(10_000, 1, 1, 1);

  @Param("SET_B")
  FourLevels platform = FourLevels.SET_B;

  @Param("EVERYWHERE")
  Exposure exposure = Exposure.EVERYWHERE;

  private PatternSimulator simulator = simulator(platform, exposure);

  /** Makes the simulator. */
  @Setup
  public void prepare() {
    simulator = simulator(platform, exposure);
  }

  /** The same runs each time. */
  @Benchmark
  public SimulationResult simulate() throws InterruptedException {
    return simulator.run(SAMPLING);
  }

  /** How many segments, checkpoints and failures one call simulates. */
  static long events(FourLevels platform, Exposure exposure) throws InterruptedException {
    return simulator(platform, exposure).run(SAMPLING).events();
  }

  private static PatternSimulator simulator(FourLevels platform, Exposure exposure) {
    LevelStack stack = platform.levels();
    List<SimulatedLevel> levels = new ArrayList<>();
    for (int number = 1; number <= stack.size(); number++) {
      CheckpointLevel level = stack.level(number);
      levels.add(
          SimulatedLevel.blocking(number, level.checkpointSeconds(), level.recoverySeconds()));
    }
    double length = new FirstOrder(stack).length(FourLevels.countsOf24());
    return new PatternSimulator(
        SimulatedPattern.nested(levels, FourLevels.countsOf24(), length),
        new ExponentialFailures(
            stack.levels().stream().map(CheckpointLevel::failuresPerSecond).toList()),
        SimulationRules.of(exposure));
  }
}

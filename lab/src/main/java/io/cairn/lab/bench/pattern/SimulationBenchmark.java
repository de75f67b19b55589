package io.cairn.lab.bench.pattern;

import io.cairn.lab.study.failure.ExponentialFailures;
import io.cairn.lab.study.failure.PatternSimulator;
import io.cairn.lab.study.failure.Sampling;
import io.cairn.lab.study.failure.SimulationResult;
import io.cairn.lab.study.pattern.CheckpointLevel;
import io.cairn.lab.study.pattern.CheckpointPattern;
import io.cairn.lab.study.pattern.CostModel;
import io.cairn.lab.study.pattern.FailureModel;
import io.cairn.lab.study.pattern.FirstOrder;
import io.cairn.lab.study.pattern.LevelStack;
import io.cairn.lab.study.pattern.PatternAssumptions;
import io.cairn.lab.study.pattern.RecoveryCost;
import io.cairn.lab.study.simulate.PatternSimulation;
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
  FailureModel failures = FailureModel.EVERYWHERE;

  private PatternSimulator simulator = simulator(platform, failures);

  /** Makes the simulator. */
  @Setup
  public void prepare() {
    simulator = simulator(platform, failures);
  }

  /** The same runs each time. */
  @Benchmark
  public SimulationResult simulate() throws InterruptedException {
    return simulator.run(SAMPLING);
  }

  /** How many segments, checkpoints and failures one call simulates. */
  static long events(FourLevels platform, FailureModel failures) throws InterruptedException {
    return simulator(platform, failures).run(SAMPLING).events();
  }

  private static PatternSimulator simulator(FourLevels platform, FailureModel failures) {
    LevelStack stack = platform.levels();
    List<Integer> counts = FourLevels.countsOf24();
    return PatternSimulation.of(
        stack,
        new PatternAssumptions(CostModel.INDEPENDENT, failures, RecoveryCost.OWN),
        new CheckpointPattern(stack.all(), counts, new FirstOrder(stack).length(counts)),
        new ExponentialFailures(
            stack.levels().stream().map(CheckpointLevel::failuresPerSecond).toList()));
  }
}

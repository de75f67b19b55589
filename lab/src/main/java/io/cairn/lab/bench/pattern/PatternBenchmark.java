package io.cairn.lab.bench.pattern;

import io.cairn.lab.study.pattern.CostModel;
import io.cairn.lab.study.pattern.ExactTime;
import io.cairn.lab.study.pattern.FailureModel;
import io.cairn.lab.study.pattern.FirstOrder;
import io.cairn.lab.study.pattern.PatternAssumptions;
import io.cairn.lab.study.pattern.PatternCalculator;
import io.cairn.lab.study.pattern.PatternReport;
import io.cairn.lab.study.pattern.RecoveryCost;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The exact optimum of four levels with its whole report, and one exact evaluation. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PatternBenchmark {
  private static final int LENGTHS = 64;

  @Param("SET_B")
  FourLevels platform = FourLevels.SET_B;

  @Param("EVERYWHERE")
  FailureModel failures = FailureModel.EVERYWHERE;

  private PatternCalculator calculator =
      new PatternCalculator(platform.levels(), PatternAssumptions.DEFAULT);
  private ExactTime exactTime = new ExactTime(platform.levels(), failures, RecoveryCost.CUMULATIVE);
  private int[] counts = {};
  private double[] lengths = {};
  private int next;

  /** Makes what is evaluated: lengths around the best one, so that no call repeats the last. */
  @Setup
  public void prepare() {
    calculator =
        new PatternCalculator(
            platform.levels(),
            new PatternAssumptions(CostModel.INDEPENDENT, failures, RecoveryCost.CUMULATIVE));
    exactTime = new ExactTime(platform.levels(), failures, RecoveryCost.CUMULATIVE);
    counts = FourLevels.countsOf24().stream().mapToInt(Integer::intValue).toArray();
    double best = new FirstOrder(platform.levels()).length(FourLevels.countsOf24());
    lengths = new double[LENGTHS];
    for (int index = 0; index < LENGTHS; index++) {
      lengths[index] = best * (0.5 + (double) index / LENGTHS);
    }
  }

  /** Subset, counts and length; the first-order pattern and the alternatives beside it. */
  @Benchmark
  public PatternReport optimum() {
    return calculator.calculate();
  }

  /** The expected time of a pattern of 24 segments. */
  @Benchmark
  public double evaluation() {
    next = (next + 1) % LENGTHS;
    return exactTime.expectedSeconds(counts, lengths[next]);
  }
}

package io.cairn.lab.bench.flow;

import io.cairn.core.flow.FlowOutcome;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.ParametricFlowScheduler;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The exact scheduler on nodes of eight devices behind network cards; a call makes one plan. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ClusterBenchmark {
  @Param("16")
  int nodes;

  @Param("12.5")
  double nicGigabytesPerSecond;

  @Param("false")
  boolean wholeChunks;

  private FlowProblem[] problems = {};
  private Rotation rotation = new Rotation(0);
  private ParametricFlowScheduler scheduler = new ParametricFlowScheduler();

  /** Makes the instances. */
  @Setup
  public void prepare() {
    problems = Instances.cluster(nodes, nicGigabytesPerSecond);
    scheduler = new ParametricFlowScheduler(wholeChunks, false);
    rotation = Rotation.begin(problems.length, index -> scheduler.schedule(problems[index]));
  }

  /** One plan. */
  @Benchmark
  public FlowOutcome schedule() {
    return scheduler.schedule(problems[rotation.next()]);
  }
}

package io.cairn.lab.bench.flow;

import io.cairn.core.flow.CutCertificate;
import io.cairn.core.flow.FlowOutcome;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.UniformOptimum;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Uniform all-to-all: the optimum in closed form with its certificate, and a plan. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class UniformBenchmark {
  @Param("128")
  int devices;

  private FlowProblem[] problems = {};
  private Rotation rotation = new Rotation(0);
  private final UniformOptimum optimum = new UniformOptimum();
  private final ParametricFlowScheduler scheduler = new ParametricFlowScheduler();

  /** Makes the instances. */
  @Setup
  public void prepare() {
    problems = Instances.uniform(devices);
    rotation = new Rotation(problems.length);
  }

  /** One optimum and its certificate, without a plan. */
  @Benchmark
  public Optional<CutCertificate> closedForm() {
    return optimum.certificate(problems[rotation.next()]);
  }

  /** One plan. */
  @Benchmark
  public FlowOutcome schedule() {
    return scheduler.schedule(problems[rotation.next()]);
  }
}

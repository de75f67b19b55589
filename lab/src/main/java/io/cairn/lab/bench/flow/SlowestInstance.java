package io.cairn.lab.bench.flow;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds the time of the slowest instance to JMH's results. It takes it after each iteration, warm
 * and outside of what is measured. JMH makes it, in the JVM of the benchmark.
 */
public final class SlowestInstance implements InternalProfiler {
  /** Name of the result, in microseconds. */
  static final String RESULT = "slowest";

  /** Made by JMH. */
  public SlowestInstance() {}

  @Override
  public String getDescription() {
    return "time of the slowest instance";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    // all is done afterwards
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    return List.of(new ScalarResult(RESULT, Rotation.slowestMicros(), "us", AggregationPolicy.AVG));
  }
}

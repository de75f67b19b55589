package io.cairn.lab.bench.flow;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A rival on the instances of {@link DenseBenchmark}; a call finds one optimum. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RivalBenchmark {
  @Param("8")
  int devices;

  @Param("1")
  int instances;

  @Param("MIN_TIME")
  String rival = "";

  private DoubleSupplier[] solvers = {};
  private Rotation rotation = new Rotation(0);

  /** Makes the instances, and whatever the rival needs only once for each. */
  @Setup
  public void prepare() {
    solvers =
        Arrays.stream(Instances.dense(devices, instances))
            .map(Rival.valueOf(rival)::on)
            .toArray(DoubleSupplier[]::new);
    rotation = new Rotation(solvers.length);
  }

  /** One optimum, in seconds. */
  @Benchmark
  public double solve() {
    return solvers[rotation.next()].getAsDouble();
  }
}

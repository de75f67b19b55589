package io.cairn.lab.bench.flow;

import io.cairn.core.flow.FlowProblem;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The floor under {@link DenseBenchmark}: a call reads the rates from senders to receivers once and
 * adds them up, of the same instances in the same turns. No scheduler that looks at every link can
 * take less.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FloorBenchmark {
  @Param("8")
  int devices;

  private double[][] matrices = {};
  private Rotation rotation = new Rotation(0);

  /** Copies the rates out of the instances. */
  @Setup
  public void prepare() {
    matrices =
        Stream.of(Instances.dense(devices)).map(FloorBenchmark::matrix).toArray(double[][]::new);
    rotation = Rotation.begin(matrices.length, index -> sum(matrices[index]));
  }

  /** One pass over one matrix. */
  @Benchmark
  public double read() {
    return sum(matrices[rotation.next()]);
  }

  private static double[] matrix(FlowProblem problem) {
    int devices = problem.devices();
    double[] rates = new double[devices * devices];
    for (int at = 0; at < rates.length; at++) {
      rates[at] = problem.topology().linkBytesPerSecond(at / devices, at % devices);
    }
    return rates;
  }

  private double sum(double[] rates) {
    double sum = 0;
    for (int sender = 0; sender < devices / 2; sender++) {
      sum += sum(rates, sender * devices + devices / 2, (sender + 1) * devices);
    }
    return sum;
  }

  /** Eight sums at once, or each addition would wait for the one before it and not for memory. */
  static double sum(double[] rates, int begin, int end) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    double e = 0;
    double f = 0;
    double g = 0;
    double h = 0;
    int at = begin;
    for (; at + 8 <= end; at += 8) {
      a += rates[at];
      b += rates[at + 1];
      c += rates[at + 2];
      d += rates[at + 3];
      e += rates[at + 4];
      f += rates[at + 5];
      g += rates[at + 6];
      h += rates[at + 7];
    }
    for (; at < end; at++) {
      a += rates[at];
    }
    return a + b + c + d + e + f + g + h;
  }
}

package io.cairn.lab.bench.flow;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;

/**
 * Runs one benchmark after the other by JMH, each in a JVM of its own with the class path of this
 * one. JMH's log goes into a file, which stays if a benchmark fails.
 */
public final class Forks implements AutoCloseable {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final long MOST_HEAP_MIB = 10_240;

  /**
   * The result of JMH, in microseconds and bytes per call.
   *
   * @param error half of the 99.9 % confidence interval; null if there are too few samples
   * @param slowest the slowest instance; null if it was not looked for
   * @param allocatedBytes null if it was not looked for
   */
  public record Score(
      double micros,
      @Nullable Double error,
      @Nullable Double slowest,
      @Nullable Double allocatedBytes) {}

  /** A measurement besides the mean; one at a time, since they would disturb each other. */
  public enum Besides {
    /** Nothing. */
    NOTHING,
    /** The instance that takes longest. */
    SLOWEST,
    /** Bytes per call. */
    ALLOCATION
  }

  private final Path log;
  private boolean failed;

  /** With a log of its own. */
  public Forks() throws IOException {
    log = Files.createTempFile("cairn-bench-", ".log");
  }

  /**
   * Of what measures ours: serial collection, since one thread is measured and a plan of a large
   * problem would count as oversized elsewhere.
   */
  public static List<String> jvmArguments() {
    return List.of("-XX:+UseSerialGC", "-Xms1g", "-Xmx" + heapMib() + "m");
  }

  /** Of what tries and measures rivals: all of the heap at once, so that none waits for it. */
  static List<String> rivalJvmArguments() {
    return List.of("-XX:+UseSerialGC", "-Xms" + heapMib() + "m", "-Xmx" + heapMib() + "m");
  }

  /** Fits two graphs of the largest size, or is half of the memory. */
  private static long heapMib() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return Math.min(MOST_HEAP_MIB, (system.getTotalMemorySize() / 2) >> 20);
  }

  /**
   * Runs one benchmark.
   *
   * @param parameters of its state
   * @throws IOException if it fails, naming the log
   */
  public Score run(
      Class<?> benchmark,
      String method,
      Map<String, Object> parameters,
      Lengths lengths,
      Besides besides)
      throws IOException {
    List<String> arguments =
        benchmark == RivalBenchmark.class ? rivalJvmArguments() : jvmArguments();
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + benchmark.getName().replace(".", "\\.") + "\\." + method + "$")
            .forks(1)
            .threads(1)
            .jvmArgs(arguments.toArray(String[]::new))
            .warmupIterations(lengths.warmUps())
            .warmupTime(TimeValue.milliseconds(lengths.warmUpMillis()))
            .measurementIterations(lengths.iterations())
            .measurementTime(TimeValue.milliseconds(lengths.iterationMillis()))
            .shouldFailOnError(true)
            .output(log.toString());
    parameters.forEach((name, value) -> options.param(name, value.toString()));
    switch (besides) {
      case SLOWEST -> options.addProfiler(SlowestInstance.class);
      case ALLOCATION -> options.addProfiler(GCProfiler.class);
      case NOTHING -> {}
    }
    try {
      return score(new Runner(options.build()).runSingle());
    } catch (RunnerException e) {
      failed = true;
      throw new IOException(
          "%s.%s %s failed: %s; JMH's log is %s"
              .formatted(benchmark.getSimpleName(), method, parameters, e.getMessage(), log),
          e);
    }
  }

  private static Score score(RunResult result) {
    Statistics statistics = result.getPrimaryResult().getStatistics();
    double error = statistics.getMeanErrorAt(0.999);
    return new Score(
        statistics.getMean(),
        Double.isNaN(error) ? null : error,
        secondary(result, SlowestInstance.RESULT),
        secondary(result, ALLOCATED));
  }

  private static @Nullable Double secondary(RunResult result, String name) {
    Result<?> found = result.getSecondaryResults().get(name);
    return found == null ? null : found.getScore();
  }

  @Override
  public void close() throws IOException {
    if (!failed) {
      Files.deleteIfExists(log);
    }
  }
}

package io.cairn.lab.study.failure;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Estimates by Monte Carlo how long a job takes that repeats a checkpoint pattern under failures.
 *
 * <p>A run completes a number of patterns. It begins where a job stands that has completed patterns
 * without a failure: with a checkpoint of every level, and with the flushes under way that such a
 * job would have. {@link Exposure}, {@link Escalation}, {@link FlushProgress} and {@link
 * SimulationRules} say how it continues. A failure at the very moment that a stage ends finds it
 * complete.
 *
 * <p>Every run draws from a random stream of its own, which the seed and the number of the run
 * determine. The order of the sums depends on the number of runs only. So results are equal to the
 * last bit at any number of threads.
 *
 * <p>Immutable and thread-safe.
 */
public final class PatternSimulator {
  private static final long MOST_RUNS = 1_000_000_000_000L;
  private static final int MOST_BLOCKS = 1024;
  private static final int MOST_WARM_UP_PATTERNS = 1000;

  private final SimulatedPattern pattern;
  private final FailureSource failures;
  private final SimulationRules rules;
  private final Timetable timetable;
  private final PatternRun.Start start;
  private final @Nullable UndisturbedClock undisturbed;

  /**
   * Prepares a simulation.
   *
   * @throws IllegalArgumentException if failures can have a higher level than the pattern survives
   */
  public PatternSimulator(SimulatedPattern pattern, FailureSource failures, SimulationRules rules) {
    if (pattern.indexSurviving(failures.levels()) == pattern.levels().size()) {
      throw new IllegalArgumentException(
          "failures of level "
              + failures.levels()
              + " can occur, but the highest level of the pattern is "
              + pattern.levels().get(pattern.levels().size() - 1).level());
    }
    this.pattern = pattern;
    this.failures = failures;
    this.rules = rules;
    timetable = Timetable.of(pattern, rules.exposure());
    start = warmUp();
    undisturbed =
        rules.flushProgress() == FlushProgress.BY_SCHEDULE
            ? new UndisturbedClock(undisturbedRun().undisturbed(start))
            : null;
  }

  /** Patterns without failures, until the longest flush has had the time to end. */
  private PatternRun.Start warmUp() {
    double flushSeconds =
        pattern.levels().stream().mapToDouble(SimulatedLevel::flushSeconds).max().orElse(0);
    double patterns = Math.ceil(flushSeconds / pattern.workSeconds()) + 1;
    long stages = timetable.stages() * (long) Math.min(patterns, MOST_WARM_UP_PATTERNS);
    PatternRun run = undisturbedRun();
    Checkpoints fresh = new Checkpoints(pattern, null);
    run.simulate(new PatternRun.Start(fresh, 0, 0), new SplittableRandom(0), stages);
    return run.end();
  }

  private PatternRun undisturbedRun() {
    FailureSource none = new RecordedFailures(List.of());
    return new PatternRun(
        pattern, timetable, rules, none, null, new Tally(pattern.levels().size()));
  }

  /**
   * Simulates; returns when all runs are done.
   *
   * @throws IllegalArgumentException if a run does not end because failures undo all its progress,
   *     or there are more than 10¹² runs
   * @throws InterruptedException if the thread is interrupted meanwhile; the others stop when their
   *     current run ends
   */
  public SimulationResult run(Sampling sampling) throws InterruptedException {
    if (sampling.runs() > MOST_RUNS) {
      throw new IllegalArgumentException("runs must be at most 10^12: " + sampling.runs());
    }
    int blocks = (int) Math.min(sampling.runs(), MOST_BLOCKS);
    Tally[] tallies = new Tally[blocks];
    AtomicInteger next = new AtomicInteger();
    Callable<Void> worker =
        () -> {
          for (int i = next.getAndIncrement(); i < blocks; i = next.getAndIncrement()) {
            tallies[i] =
                block(sampling, sampling.runs() * i / blocks, sampling.runs() * (i + 1) / blocks);
          }
          return null;
        };
    runAll(worker, Math.min(sampling.threads(), blocks));
    Tally sum = new Tally(pattern.levels().size());
    for (Tally tally : tallies) {
      sum.add(tally);
    }
    return sum.result(sampling.patternsPerRun() * pattern.workSeconds());
  }

  private Tally block(Sampling sampling, long from, long to) throws InterruptedException {
    Tally tally = new Tally(pattern.levels().size());
    PatternRun run = new PatternRun(pattern, timetable, rules, failures, undisturbed, tally);
    long stages = (long) sampling.patternsPerRun() * timetable.stages();
    double workSeconds = sampling.patternsPerRun() * pattern.workSeconds();
    long base = new SplittableRandom(sampling.seed()).nextLong();
    for (long number = from; number < to; number++) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      // mixed once more: the streams of neighbouring seeds are shifts of each other otherwise
      long seed = new SplittableRandom(base ^ number).nextLong();
      tally.addRun(run.simulate(start, new SplittableRandom(seed), stages) - workSeconds);
    }
    return tally;
  }

  private static void runAll(Callable<Void> worker, int threads) throws InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Void>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(worker);
      }
      for (Future<Void> done : executor.invokeAll(workers)) {
        done.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("a simulation thread died: " + e.getCause(), e);
    } finally {
      executor.shutdownNow();
    }
  }
}

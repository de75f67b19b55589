package io.cairn.lab.study.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.pattern.NonBlockingLevel;
import io.cairn.core.pattern.NonBlockingPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The simulator against the evaluation that cadences predict with: random systems, each with a seed
 * that is its number, up to such as spend twice as long on failures as on work. Only the lowest
 * level stops the work, since the two differ in what a failure loses that strikes between the
 * blocking parts of one checkpoint.
 */
class PredictionsTest {
  private static final double MOST_Z = 4;
  private static final double MOST_MEAN_Z = 1.2;

  /** A system and a pattern for it. */
  private record Instance(
      List<NonBlockingLevel> levels, List<Integer> counts, double lengthSeconds) {
    double predictedSeconds() {
      return new NonBlockingPattern(levels)
          .expectedSeconds(counts.stream().mapToInt(Integer::intValue).toArray(), lengthSeconds);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void simulatedTimesAgreeWithPredictedOnes(int levels) throws InterruptedException {
    check(levels, 30_000);
  }

  @Tag("proof")
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void simulatedTimesAgreeWithPredictedOnesOverMoreRuns(int levels) throws InterruptedException {
    check(levels, 100_000);
  }

  private static void check(int levels, long runs) throws InterruptedException {
    List<Double> deviations = new ArrayList<>();
    for (int seed = 1000 * (levels - 2); deviations.size() < 50; seed++) {
      Instance instance = instance(levels, new SplittableRandom(seed));
      if (isHopeless(instance)) {
        continue;
      }
      SimulationResult result = simulator(instance).run(Sampling.of(runs, seed));
      double z =
          (result.meanSeconds() - instance.predictedSeconds()) / result.standardErrorSeconds();
      assertThat(Math.abs(z)).as("seed %d: %s", seed, instance).isLessThanOrEqualTo(MOST_Z);
      deviations.add(Math.abs(z));
    }
    assertThat(deviations.stream().mapToDouble(z -> z).average().orElseThrow())
        .isLessThanOrEqualTo(MOST_MEAN_Z);
  }

  /** Flushes do not keep up, or failures rarely let the pattern end. */
  private static boolean isHopeless(Instance instance) {
    return instance.predictedSeconds() > 3 * instance.lengthSeconds();
  }

  private static Instance instance(int size, SplittableRandom random) {
    List<Integer> counts =
        IntStream.range(1, size).mapToObj(level -> random.nextInt(1, 5)).toList();
    double lengthSeconds = random.nextDouble(500, 5000);
    List<NonBlockingLevel> levels = new ArrayList<>();
    double flushSeconds = 0;
    for (int level = 0; level < size; level++) {
      levels.add(
          new NonBlockingLevel(
              "L" + (level + 1),
              1 / random.nextDouble(2000, 40_000),
              level == 0 ? random.nextDouble(0, 30) : 0,
              flushSeconds,
              random.nextDouble(0, 0.3),
              random.nextDouble(0, 100)));
      flushSeconds += random.nextDouble(0, lengthSeconds / 3);
    }
    return new Instance(levels, counts, lengthSeconds);
  }

  private static PatternSimulator simulator(Instance instance) {
    List<SimulatedLevel> levels = new ArrayList<>();
    for (NonBlockingLevel level : instance.levels()) {
      levels.add(
          new SimulatedLevel(
              levels.size() + 1,
              level.blockingSeconds(),
              level.recoverySeconds(),
              level.flushSeconds(),
              level.overheadFactor()));
    }
    return new PatternSimulator(
        SimulatedPattern.nested(levels, instance.counts(), instance.lengthSeconds()),
        new ExponentialFailures(
            instance.levels().stream().map(NonBlockingLevel::failuresPerSecond).toList()),
        new SimulationRules(Exposure.EVERYWHERE, Escalation.RETRY, FlushProgress.BY_SCHEDULE));
  }
}

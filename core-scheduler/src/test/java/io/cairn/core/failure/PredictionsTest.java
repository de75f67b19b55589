package io.cairn.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.pattern.NonBlockingLevel;
import io.cairn.core.pattern.NonBlockingPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The simulator against the evaluation that cadences predict with: random systems of two to four
 * levels, each with a seed that is its number. Only the lowest level stops the work, since the two
 * differ in what a failure loses that strikes between the blocking parts of one checkpoint.
 */
class PredictionsTest {
  private static final int SYSTEMS = 120;
  private static final long RUNS = 100_000;
  private static final double MOST_Z = 4;
  private static final double MOST_MEAN_Z = 1.2;

  /** A system and a pattern for it. */
  private record Instance(
      List<NonBlockingLevel> levels, List<Integer> counts, double lengthSeconds) {}

  @Test
  void simulatedTimesAgreeWithPredictedOnes() throws InterruptedException {
    List<Double> deviations = new ArrayList<>();
    for (int seed = 0; deviations.size() < SYSTEMS; seed++) {
      Instance instance = instance(new SplittableRandom(seed));
      double predicted =
          new NonBlockingPattern(instance.levels())
              .expectedSeconds(
                  instance.counts().stream().mapToInt(Integer::intValue).toArray(),
                  instance.lengthSeconds());
      if (predicted > 3 * instance.lengthSeconds()) {
        continue; // flushes do not keep up, or failures rarely let the pattern end
      }
      SimulationResult result = simulator(instance).run(Sampling.of(RUNS, seed));
      double z = (result.meanSeconds() - predicted) / result.standardErrorSeconds();
      assertThat(Math.abs(z)).as("seed %d: %s", seed, instance).isLessThanOrEqualTo(MOST_Z);
      deviations.add(Math.abs(z));
    }
    assertThat(deviations.stream().mapToDouble(z -> z).average().orElseThrow())
        .isLessThanOrEqualTo(MOST_MEAN_Z);
  }

  private static Instance instance(SplittableRandom random) {
    int size = random.nextInt(2, 5);
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

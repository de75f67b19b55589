package io.cairn.lab.study.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The simulator against the two-level Markov chain, solved elsewhere; each fixture with a seed that
 * is its number.
 */
class NonBlockingTest {
  private static final double MOST_Z = 4;
  private static final double MOST_MEAN_Z = 1.2;

  @Test
  void simulatedTimesAgreeWithTheChain() throws InterruptedException {
    check(1_000_000);
  }

  @Tag("proof")
  @Test
  void simulatedTimesAgreeWithTheChainOverMillionsOfRuns() throws InterruptedException {
    check(10_000_000);
  }

  private static void check(long runs) throws InterruptedException {
    List<Double> deviations = new ArrayList<>();
    for (JsonNode fixture : PublishedPatterns.oracle("nonblocking.json").get("fixtures")) {
      int seed = deviations.size();
      SimulationResult result = simulator(fixture).run(Sampling.of(runs, seed));
      double expected = fixture.get("E_nonblocking").doubleValue();
      double z = (result.meanSeconds() - expected) / result.standardErrorSeconds();
      assertThat(Math.abs(z))
          .as("%s, seed %d: %s", fixture, seed, result.meanSeconds())
          .isLessThanOrEqualTo(MOST_Z);
      assertThat(result.skippedFlushes()).as("%s", fixture).isZero();
      deviations.add(Math.abs(z));
    }
    assertThat(deviations).hasSize(14);
    assertThat(deviations.stream().mapToDouble(z -> z).average().orElseThrow())
        .isLessThanOrEqualTo(MOST_MEAN_Z);
  }

  /**
   * Segments end at level 1; what the last one holds is flushed to level 2 behind the work of the
   * number of segments that the fixture says, which need not follow from its latency. A shade less
   * than whole segments, so that rounding does not take it into the next one.
   */
  private static PatternSimulator simulator(JsonNode fixture) {
    JsonNode given = fixture.get("params");
    double work = fixture.get("t").doubleValue();
    double overhead = given.get("alpha").doubleValue();
    double cost = given.get("c1").doubleValue();
    double flushSeconds = fixture.get("F").intValue() * ((1 + overhead) * work + cost) - 1e-6;
    SimulatedLevel level1 = SimulatedLevel.blocking(1, cost, given.get("r1").doubleValue());
    SimulatedLevel level2 =
        new SimulatedLevel(2, 0, given.get("r2").doubleValue(), flushSeconds, overhead);
    int segments = fixture.get("m").intValue();
    List<Segment> all = new ArrayList<>(Collections.nCopies(segments - 1, new Segment(work, 1)));
    all.add(new Segment(work, 2));
    return new PatternSimulator(
        new SimulatedPattern(List.of(level1, level2), all),
        new ExponentialFailures(
            List.of(given.get("l1").doubleValue(), given.get("l2").doubleValue())),
        new SimulationRules(
            Exposure.EVERYWHERE,
            given.get("esc").booleanValue() ? Escalation.NEXT_LEVEL : Escalation.RETRY,
            FlushProgress.BY_SCHEDULE));
  }
}

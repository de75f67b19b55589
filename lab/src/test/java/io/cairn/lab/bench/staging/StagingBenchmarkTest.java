package io.cairn.lab.bench.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cairn.lab.bench.staging.PatternClock.Costs;
import io.cairn.lab.bench.staging.PatternClock.Parameters;
import io.cairn.lab.bench.staging.StagingBenchmark.Way;
import io.cairn.lab.measure.Burn;
import io.cairn.lab.measure.Scratch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class StagingBenchmarkTest {
  @Test
  void bothWaysReachTheStore() throws Exception {
    StagingBenchmark benchmark = new StagingBenchmark(1, 20, 2, 1, Burn.calibrated());
    try (Scratch scratch = Scratch.create()) {
      double work = benchmark.quietSeconds(scratch);
      Way owner = benchmark.byOwner(scratch, work);
      Way server = benchmark.byServer(scratch, work, 3 << 18);

      assertThat(work).isPositive();
      assertThat(owner.sealed()).as("a busy machine skips some").isBetween(1, 2);
      assertThat(server.sealed()).as("likewise").isBetween(1, 2);
      assertThat(owner.measured().sealSeconds()).isPositive();
      assertThat(server.measured().sealSeconds()).isPositive();
      assertThat(server.leastSealSeconds())
          .as("the rest after a second's credit")
          .isEqualTo(1.0 / 3, within(1e-12));
      assertThat(owner.predicted().patternSeconds()).isPositive();
    }
  }

  @Test
  void theModelAddsStopsAndTheSlowDownOfTheSegmentsThatAFlushSpans() {
    // segments of 0.05 s and a stop of 0.01 s; slowed ones take 0.07 s, and 0.6 s span 9 of them
    Costs predicted = PatternClock.predicted(new Parameters(0.05, 0.01, 0.6, 0.2), 60);

    assertThat(predicted.stallSeconds()).isEqualTo(0.6, within(1e-12));
    assertThat(predicted.slowDownSeconds()).isEqualTo(9 * 0.2 * 0.05, within(1e-5));
    assertThat(predicted.patternSeconds()).isEqualTo(60 * 0.06 + 0.09, within(1e-5));
    assertThat(predicted.sealSeconds()).isEqualTo(0.6);
  }
}

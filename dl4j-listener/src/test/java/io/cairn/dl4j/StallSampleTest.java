package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Quantiles of stalls. */
class StallSampleTest {
  @Test
  void nothingYet() {
    assertThat(new StallSample(10, 1).statistics()).isEqualTo(new StallStatistics(0, 0, 0, 0));
  }

  @Test
  void isExactWhileItHoldsAll() {
    StallSample sample = new StallSample(200, 1);
    for (int k = 100; k >= 1; k--) {
      sample.add(k);
    }
    assertThat(sample.statistics()).isEqualTo(new StallStatistics(100, 50, 99, 100));
  }

  @Test
  void samplesUniformlyBeyondThat() {
    StallSample sample = new StallSample(1000, 1);
    for (int k = 1; k <= 100_000; k++) {
      sample.add(k);
    }
    StallStatistics statistics = sample.statistics();
    assertThat(statistics.count()).isEqualTo(100_000);
    assertThat(statistics.maxNanos()).isEqualTo(100_000);
    // five standard deviations of the sample's median
    assertThat(statistics.p50Nanos()).isBetween(42_000L, 58_000L);
    assertThat(statistics.p99Nanos()).isBetween(97_000L, 100_000L);
  }
}

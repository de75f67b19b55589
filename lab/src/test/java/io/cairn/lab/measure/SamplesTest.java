package io.cairn.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Quantiles of durations. */
class SamplesTest {
  @Test
  void quantilesAreSamples() {
    Samples samples = new Samples();
    for (int k = 100; k >= 1; k--) {
      samples.add(k * 1_000_000L);
    }
    assertThat(samples.count()).isEqualTo(100);
    assertThat(samples.quantileMillis(0.5)).isEqualTo(50);
    assertThat(samples.quantileMillis(0.99)).isEqualTo(99);
    assertThat(samples.quantileMillis(1)).isEqualTo(100);
    assertThat(samples.quantileMillis(0)).isEqualTo(1);
  }

  @Test
  void withoutSamplesThereIsNoTime() {
    assertThat(new Samples().quantileMillis(0.5)).isZero();
  }
}

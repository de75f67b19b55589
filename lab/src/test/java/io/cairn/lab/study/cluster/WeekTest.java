package io.cairn.lab.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Groups that ended leave nothing behind in the processes that trained and coordinated them. */
class WeekTest {
  @Test
  void nothingGrowsWithTheGroupsThatEnded() throws Exception {
    Week.Report report = Week.run(150, Duration.ofSeconds(10));

    assertThat(report.grown()).isEmpty();
    assertThat(report.end().staged()).as("containers of the staging server").isPositive();
    assertThat(report.end().promisedBytes()).isZero();
    assertThat(report.end().entries())
        .as("fields that hold something, so that the walk sees the processes")
        .containsKeys("engine.coordination.Hosts.hosts", "cache.chunk.ResidentCheckpoints.live");
  }
}

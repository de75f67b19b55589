package io.cairn.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clusters that fail keep what their ranks were told. */
class ClusterSweepTest {
  private static ClusterSweep.Report run(long first, int seeds, List<String> violations)
      throws Exception {
    return ClusterSweep.run(
        first,
        seeds,
        2,
        result -> {
          if (!result.violation().isEmpty()) {
            violations.add("seed " + result.seed() + ": " + result.violation());
          }
        });
  }

  @Test
  void everyPromiseHoldsWhileFaultsCome() throws Exception {
    List<String> violations = new CopyOnWriteArrayList<>();

    ClusterSweep.Report report = run(0, 60, violations);

    assertThat(violations).isEmpty();
    assertThat(report.violations()).isZero();
    assertThat(report.faults())
        .containsKeys(
            "killed process",
            "killed driver",
            "lost machine",
            "stopped process",
            "lost medium",
            "read-only medium",
            "one-way partition",
            "lost reply",
            "cancellation",
            "second attempt");
  }

  @Test
  @Tag("proof")
  void everyPromiseHoldsInTenThousandSeeds() throws Exception {
    List<String> violations = new CopyOnWriteArrayList<>();

    run(0, 10_000, violations);

    assertThat(violations).isEmpty();
  }
}

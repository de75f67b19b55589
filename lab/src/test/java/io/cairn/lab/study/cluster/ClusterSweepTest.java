package io.cairn.lab.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clusters that fail, and share no device memory, keep what their ranks were told. */
class ClusterSweepTest {
  private static ClusterSweep.Report run(long first, int seeds, List<String> violations)
      throws Exception {
    return ClusterSweep.run(
        first,
        seeds,
        2,
        ClusterSimulation::runApart,
        result -> {
          if (!result.violation().isEmpty()) {
            violations.add("seed " + result.seed() + ": " + result.violation());
          }
        });
  }

  @Test
  void everyPromiseHoldsWhileFaultsCome() throws Exception {
    List<String> violations = new CopyOnWriteArrayList<>();

    ClusterSweep.Report report = run(0, 120, violations);

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
            "unmounted store",
            "clock step",
            "one-way partition",
            "lost reply",
            "cancellation",
            "damaged file at NODE",
            "damaged file at STORE",
            "second attempt");
  }

  @Test
  void aSeedTakesTheSameCourseEachTime() throws Exception {
    assertThat(histories()).isEqualTo(histories());
  }

  /** Without the random parts of names, and the moments at which epochs were claimed. */
  private static Map<Long, String> histories() throws Exception {
    Map<Long, String> histories = new ConcurrentSkipListMap<>();
    ClusterSweep.run(
        100,
        12,
        2,
        result ->
            histories.put(
                result.seed(),
                String.join("\n", result.trace())
                    .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "NAME")
                    .replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "MOMENT")));
    return histories;
  }

  @Test
  @Tag("proof")
  void everyPromiseHoldsInTenThousandSeeds() throws Exception {
    List<String> violations = new CopyOnWriteArrayList<>();

    run(0, 10_000, violations);

    assertThat(violations).isEmpty();
  }
}

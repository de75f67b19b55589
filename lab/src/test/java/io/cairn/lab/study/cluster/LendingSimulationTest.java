package io.cairn.lab.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clusters whose processes lend device memory to each other keep what their ranks were told. */
@Timeout(600)
class LendingSimulationTest {
  private static final int SEEDS = 30;

  /** Events that all seeds together must have, with the fewest of each: half of those seen. */
  private static final Map<String, Integer> LEAST =
      Map.of(
          PeerNetwork.LEASED,
          150,
          PeerNetwork.LENT_READ,
          170,
          PeerNetwork.LENT_NEAR,
          70,
          PeerNetwork.LENT_FLUSHED,
          55,
          PeerNetwork.REJECTED,
          12,
          PeerNetwork.LATE_PUSH,
          20,
          PeerNetwork.DECLARED_DEAD,
          20,
          "checkpoint withdrawn by a lender",
          10,
          "push after its connection broke",
          20,
          "damaged push",
          25);

  private static final int PROOFS = Integer.getInteger("cairn.simulation.seeds", 10_000);

  private static Map<String, Integer> run(long first, int seeds) throws Exception {
    List<String> violations = new CopyOnWriteArrayList<>();
    ClusterSweep.Report report =
        ClusterSweep.run(
            first,
            seeds,
            2,
            ClusterSimulation::runSharing,
            result -> {
              if (!result.violation().isEmpty()) {
                violations.add("seed " + result.seed() + ": " + result.violation());
              }
            });
    assertThat(violations).isEmpty();
    return report.faults();
  }

  @Test
  void everySlotHasOneWriterAndComesBack() throws Exception {
    Map<String, Integer> counts = run(0, SEEDS);

    assertThat(counts).containsKeys("killed process", "lost machine", "stopped process");
    LEAST.forEach(
        (what, least) ->
            assertThat(counts.getOrDefault(what, 0)).as(what).isGreaterThanOrEqualTo(least));
  }

  @Test
  @Tag("proof")
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void everySlotHasOneWriterAndComesBackInThousandsOfSeeds() throws Exception {
    assertThat(run(SEEDS, PROOFS)).containsKey(PeerNetwork.LENT_READ);
  }
}

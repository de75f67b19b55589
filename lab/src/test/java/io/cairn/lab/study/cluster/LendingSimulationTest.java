package io.cairn.lab.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clusters whose processes lend device memory to each other keep what their ranks were told. */
class LendingSimulationTest {
  private static final int SEEDS = 30;
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
    assertThat(run(0, SEEDS))
        .containsKeys(
            PeerNetwork.LEASED,
            PeerNetwork.LENT_READ,
            "checkpoint withdrawn by a lender",
            "push after its connection broke",
            "damaged push",
            "killed process",
            "lost machine",
            "stopped process");
  }

  @Test
  @Tag("proof")
  void everySlotHasOneWriterAndComesBackInThousandsOfSeeds() throws Exception {
    assertThat(run(SEEDS, PROOFS)).containsKey(PeerNetwork.LENT_READ);
  }
}

package io.cairn.lab.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Clusters with staging servers keep what their ranks were told. */
class StagedClusterTest {
  /** With one server and with two, with PEER by each scheme and without, whole and in layers. */
  private static final List<Long> SEEDS =
      List.of(3L, 7L, 10L, 15L, 18L, 31L, 40L, 58L, 67L, 70L, 81L, 85L, 130L, 142L, 149L, 184L);

  @Test
  void everyPromiseHoldsWhileServersAndOwnersFail() throws Exception {
    List<String> violations = new CopyOnWriteArrayList<>();
    AtomicInteger staged = new AtomicInteger();

    for (long seed : SEEDS) {
      ClusterSweep.run(
          seed,
          1,
          1,
          result -> {
            if (!result.violation().isEmpty()) {
              violations.add("seed " + seed + ": " + result.violation());
            }
            staged.addAndGet(result.faults().getOrDefault(PeerNetwork.STAGED, 0));
          });
    }

    assertThat(violations).isEmpty();
    assertThat(staged).as("containers of servers").hasValueGreaterThan(SEEDS.size());
  }
}

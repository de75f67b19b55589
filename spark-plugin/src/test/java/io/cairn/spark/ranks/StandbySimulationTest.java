package io.cairn.spark.ranks;

import org.junit.jupiter.api.Test;

/**
 * Seeded stages whose executors die, whose connections end while they live, whose messages and
 * results are lost. Each ends, with one result of each rank; a task that lives and is connected
 * keeps its rank.
 */
class StandbySimulationTest {
  private static final int SEEDS = Integer.getInteger("cairn.simulation.seeds", 2000);

  @Test
  void everyRankIsDeliveredOnce() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        new SimulatedStage(seed).run(400, 20_000);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }
}

package io.cairn.core.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cairn.core.flow.topology.PresetNames;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of Maurya et al. 2021 on a DGX-1: two senders compete for one receiver. */
class PublishedExampleTest {
  private static final long MB = 1_000_000;
  private static final FlowProblem EXAMPLE =
      new FlowProblem(
          PresetNames.topology("dgx1"),
          new long[] {480 * MB, 0, 0, 0, 0, 0, 240 * MB, 0},
          new long[] {0, 200 * MB, 0, 0, 480 * MB, 0, 0, 0},
          MB);

  private static TransferPlan plan(FlowScheduler scheduler) {
    return (TransferPlan) scheduler.schedule(EXAMPLE);
  }

  @Test
  void localOnlyTakes40Milliseconds() {
    assertThat(plan(new LocalOnlyScheduler(false)).blockingSeconds())
        .isCloseTo(0.040, within(1e-12));
  }

  @Test
  void greedyTakes20Milliseconds() {
    TransferPlan plan = plan(new GreedyScheduler(false));
    assertThat(plan.blockingSeconds()).isCloseTo(0.020, within(1e-12));
    assertThat(plan.transfers())
        .containsExactly(new Transfer(0, 4, 480 * MB), new Transfer(6, Transfer.HOST, 240 * MB));
  }

  @Test
  void everyExactSchedulerTakesAThirdOfThat() {
    for (FlowScheduler scheduler :
        List.of(
            new MinTimeMaxFlowScheduler(),
            new ParametricFlowScheduler(),
            new ParametricFlowScheduler(true, false))) {
      assertThat(plan(scheduler).blockingSeconds()).isCloseTo(0.020 / 3, within(1e-12));
    }
  }

  @Test
  void refinedChunksAreThePublishedTransfers() {
    TransferPlan plan = plan(new ParametricFlowScheduler(true, true));
    assertThat(plan.transfers())
        .containsExactly(
            new Transfer(0, 1, 137 * MB),
            new Transfer(0, 4, 275 * MB),
            new Transfer(0, Transfer.HOST, 68 * MB),
            new Transfer(6, 4, 160 * MB),
            new Transfer(6, Transfer.HOST, 80 * MB));
    assertThat(plan.senderSeconds(0)).isCloseTo(275e6 / 48e9, within(1e-12));
    assertThat(plan.senderSeconds(6)).isCloseTo(plan.blockingSeconds(), within(0.0));
  }

  @Test
  void theSecondSenderAloneProvesTheOptimum() {
    CutCertificate proof = plan(new ParametricFlowScheduler()).certificate().orElseThrow();
    assertThat(proof.senders()).containsExactly(6);
    assertThat(proof.receivers()).isEmpty();
    assertThat(proof.tight())
        .containsExactlyInAnyOrder(
            new TightCapacity(TightCapacity.Kind.HOST, 6, -1, List.of(), 12e9),
            new TightCapacity(TightCapacity.Kind.LINK, 6, 4, List.of(), 24e9));
    assertThat(proof.lowerBoundSeconds()).isCloseTo(0.020 / 3, within(1e-15));
  }

  @Test
  void aFlushSlowsTheHostLinkDown() {
    Topology flushing = Topology.builder(2).link(0, 1, 24e9).host(0, 12e9 * 0.5).build();
    FlowProblem slower =
        new FlowProblem(flushing, new long[] {240 * MB, 0}, new long[] {0, 480 * MB}, MB);

    TransferPlan plan = (TransferPlan) new ParametricFlowScheduler().schedule(slower);
    assertThat(plan.blockingSeconds()).isCloseTo(240e6 / (24e9 + 6e9), within(1e-12));
  }
}

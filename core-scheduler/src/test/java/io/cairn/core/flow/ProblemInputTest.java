package io.cairn.core.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid problems are rejected by name; unsolvable ones carry the reason. */
class ProblemInputTest {
  private static final Topology TWO =
      Topology.builder(2).link(0, 1, 24e9).link(1, 0, 24e9).host(0, 12e9).build();

  private static FlowProblem problem(long[] remainder, long[] spare) {
    return new FlowProblem(TWO, remainder, spare, 1000);
  }

  @Test
  void sizesOfAnotherNumberOfDevices() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> problem(new long[3], new long[2]))
        .withMessage("3 remainder sizes for 2 devices");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> problem(new long[2], new long[1]))
        .withMessage("1 spare sizes for 2 devices");
  }

  @Test
  void negativeSizes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> problem(new long[] {0, -5}, new long[2]))
        .withMessage("the remainder of device 1 is negative: -5 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> problem(new long[2], new long[] {-1, 0}))
        .withMessageContaining("the spare of device 0 is negative");
  }

  @Test
  void aDeviceThatSendsAndReceives() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> problem(new long[] {1, 0}, new long[] {1, 0}))
        .withMessageContaining("device 0 has a remainder of 1 bytes and 1 bytes to spare");
  }

  @Test
  void chunksOfNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FlowProblem(TWO, new long[2], new long[2], 0))
        .withMessage("a chunk has at least 1 byte, not 0");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void ratesThatAreNone(double rate) {
    TopologyBuilder topology = Topology.builder(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> topology.link(0, 1, rate))
        .withMessageContaining("the rate of the link from 0 to 1")
        .withMessageContaining(Double.toString(rate));
    assertThatIllegalArgumentException().isThrownBy(() -> topology.host(1, rate));
    assertThatIllegalArgumentException().isThrownBy(() -> topology.host(rate));
    assertThatIllegalArgumentException().isThrownBy(() -> topology.linkAll(rate));
    assertThatIllegalArgumentException().isThrownBy(() -> topology.egress(1, rate));
    assertThatIllegalArgumentException().isThrownBy(() -> topology.ingress(1, rate));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> topology.sharedHostLink(List.of(0, 1), rate));
    assertThatIllegalArgumentException().isThrownBy(() -> topology.node(List.of(0), rate));
  }

  @Test
  void devicesThatAreNone() {
    assertThatIllegalArgumentException().isThrownBy(() -> Topology.builder(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.builder(2).link(0, 2, 1))
        .withMessage("there is no device 2; they are 0 to 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.builder(2).link(1, 1, 1))
        .withMessage("device 1 is linked to itself");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.builder(2).node(List.of(0, 7), 1).build())
        .withMessageContaining("node 0 names device 7 of 2");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Topology.builder(2)
                    .sharedHostLink(List.of(0), 1)
                    .sharedHostLink(List.of(0), 1)
                    .build())
        .withMessageContaining("device 0 is in host link 0 and in 1");
  }

  @Test
  void directLinksBetweenNodes() {
    TopologyBuilder topology =
        Topology.builder(2).node(List.of(0), 1e9).node(List.of(1), 1e9).link(0, 1, 24e9);
    assertThatIllegalArgumentException()
        .isThrownBy(topology::build)
        .withMessageContaining("put devices that link directly into one node");
  }

  @Test
  void directLinksOutOfANode() {
    for (int[] ends : new int[][] {{0, 2}, {2, 0}}) {
      TopologyBuilder topology =
          Topology.builder(3).link(ends[0], ends[1], 98).host(1).node(List.of(0, 1), 1);
      assertThatIllegalArgumentException()
          .isThrownBy(topology::build)
          .withMessageContaining("devices %d and %d are linked directly", ends[0], ends[1])
          .withMessageContaining("put devices that link directly into one node");
    }
    TopologyBuilder all = Topology.builder(3).linkAll(98).host(1).node(List.of(0, 1), 1);
    assertThatIllegalArgumentException()
        .isThrownBy(all::build)
        .withMessageContaining("devices [2]");
    Topology none = Topology.builder(3).link(0, 2, 0).host(1).node(List.of(0, 1), 1).build();
    assertThat(none.linkBytesPerSecond(0, 2)).isZero();
    assertThat(Topology.builder(2).linkAll(98).node(List.of(0, 1), 1).build().nodes()).hasSize(1);
  }

  @Test
  void aLinkThatIsNamedTwiceIsTheLast() {
    Topology few = Topology.builder(9).link(3, 4, 1e9).link(3, 5, 1e9).link(3, 4, 2e9).build();
    assertThat(few.linkBytesPerSecond(3, 4)).isEqualTo(2e9);
    assertThat(few.linkBytesPerSecond(3, 5)).isEqualTo(1e9);
    assertThat(few.linkBytesPerSecond(4, 3)).isZero();
    Topology most = Topology.builder(2).link(0, 1, 1e9).link(1, 0, 1e9).link(0, 1, 2e9).build();
    assertThat(most.linkBytesPerSecond(0, 1)).isEqualTo(2e9);
    assertThat(most.linkBytesPerSecond(1, 0)).isEqualTo(1e9);
  }

  @Test
  void aSenderWithNoWayOut() {
    FlowProblem problem = problem(new long[] {0, 5000}, new long[] {2000, 0});
    for (FlowScheduler scheduler :
        List.of(
            new LocalOnlyScheduler(false),
            new GreedyScheduler(false),
            new MinTimeMaxFlowScheduler(),
            new ParametricFlowScheduler())) {
      FlowOutcome outcome = scheduler.schedule(problem);
      assertThat(outcome).isInstanceOf(Infeasible.class);
      assertThat(((Infeasible) outcome).reason()).contains("1");
    }
    Infeasible exact = (Infeasible) new ParametricFlowScheduler().schedule(problem);
    assertThat(exact.reason())
        .isEqualTo(
            "devices [1] have 5000 bytes left, and no way out but 2000 bytes of spare on devices"
                + " [0]");
  }

  @Test
  void moreThanCanBePlacedOrKept() {
    FlowProblem tiny = new FlowProblem(TWO, new long[] {1L << 40, 0}, new long[] {0, 1L << 40}, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MinTimeMaxFlowScheduler().schedule(tiny))
        .withMessageContaining("1099511627776 chunks are too many to place one by one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.uniform(20_000, 24e9, 12e9))
        .withMessageContaining("at most 16384 devices");
  }

  @Test
  void aSharedCapacityThatCarriesNothing() {
    Topology topology =
        Topology.builder(2)
            .link(0, 1, 24e9)
            .link(1, 0, 24e9)
            .host(12e9)
            .egress(0, 0)
            .sharedHostLink(List.of(0, 1), 0)
            .build();
    FlowProblem problem =
        new FlowProblem(topology, new long[] {5000, 0}, new long[] {0, 2000}, 1000);
    for (FlowScheduler scheduler :
        List.of(
            new LocalOnlyScheduler(false),
            new GreedyScheduler(false),
            new MinTimeMaxFlowScheduler(),
            new ParametricFlowScheduler())) {
      FlowOutcome outcome = scheduler.schedule(problem);
      assertThat(outcome).isInstanceOf(Infeasible.class);
      assertThat(((Infeasible) outcome).reason()).contains("0");
    }
  }

  @Test
  void morePairsThanAMatrixHolds() {
    int devices = 20_000;
    long[] remainder = new long[devices];
    long[] spare = new long[devices];
    Arrays.fill(remainder, 0, devices / 2, 1);
    Arrays.fill(spare, devices / 2, devices, 1);
    FlowProblem problem =
        new FlowProblem(Topology.builder(devices).host(1e9).build(), remainder, spare, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MinTimeMaxFlowScheduler().schedule(problem))
        .withMessageContaining("10000 senders and 10000 receivers are too many");
  }

  /** Only the first device has a host, so that what the last sends moves what all others send. */
  @Test
  void oneAugmentingPathThroughAllDevices() {
    int devices = 100_000;
    TopologyBuilder topology = Topology.builder(devices).host(0, 1e9);
    long[] remainder = new long[devices];
    long[] spare = new long[devices];
    for (int device = 0; device < devices - 1; device++) {
      topology.link(device, device + 1, 1e9).link(device + 1, device, 1e9);
      remainder[device] = device % 2 == 0 ? 1_000_000 : 0;
      spare[device] = device % 2 == 0 ? 0 : 1_000_000;
    }
    FlowProblem problem = new FlowProblem(topology.build(), remainder, spare, 1000);
    TransferPlan plan = (TransferPlan) new ParametricFlowScheduler().schedule(problem);
    assertThat(PlanCheck.objections(problem, plan)).isEmpty();
    assertThat(plan.blockingSeconds()).isEqualTo(1e-3);
  }

  @Test
  void nothingToDoTakesNoTime() {
    FlowOutcome outcome =
        new ParametricFlowScheduler().schedule(problem(new long[2], new long[] {7, 7}));
    TransferPlan plan = OracleTest.proven(problem(new long[2], new long[] {7, 7}), outcome);
    assertThat(plan.blockingSeconds()).isZero();
    assertThat(plan.transfers()).isEmpty();
  }
}

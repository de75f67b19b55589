package io.cairn.lab.bench.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.TransferPlan;
import io.cairn.core.flow.UniformOptimum;
import org.junit.jupiter.api.Test;

/** Problems are what their Javadoc says. */
class InstancesTest {
  @Test
  void denseOnesLinkAllAndSplitInHalves() {
    FlowProblem[] problems = Instances.dense(8);
    assertThat(problems).hasSize(16);
    for (int index = 0; index < problems.length; index++) {
      for (int device = 0; device < 8; device++) {
        boolean sends = device < 4;
        assertThat(problems[index].remainderBytes(device) > 0).isEqualTo(sends);
        assertThat(problems[index].spareBytes(device) > 0).isEqualTo(!sends);
        double rate = problems[index].topology().linkBytesPerSecond(device, (device + 3) % 8);
        if (index % 2 == 0) {
          assertThat(rate).isBetween(5e9, 50e9);
        } else {
          assertThat(rate).isIn(24e9, 48e9);
        }
      }
    }
  }

  @Test
  void equalArgumentsGiveEqualProblems() {
    assertThat(Instances.dense(8)[3].remainderBytes(1))
        .isEqualTo(Instances.dense(8, 4)[3].remainderBytes(1))
        .isNotEqualTo(Instances.dense(8, 5)[4].remainderBytes(1));
  }

  @Test
  void uniformOnesHaveTheClosedForm() {
    UniformOptimum optimum = new UniformOptimum();
    assertThat(Instances.uniform(16))
        .allSatisfy(p -> assertThat(optimum.certificate(p)).isPresent());
  }

  @Test
  void clustersShareHostLinksAndNetworkCards() {
    for (FlowProblem problem : Instances.cluster(2, 12.5)) {
      assertThat(problem.devices()).isEqualTo(Instances.clusterDevices(2));
      assertThat(problem.topology().sharedHostLinks()).hasSize(8);
      assertThat(problem.topology().nodes())
          .hasSize(2)
          .allSatisfy(node -> assertThat(node.outBytesPerSecond()).isEqualTo(12.5e9));
      assertThat(new ParametricFlowScheduler().schedule(problem)).isInstanceOf(TransferPlan.class);
    }
  }

  @Test
  void aPlanIsAsLargeAsItsArrays() {
    FlowProblem problem = Instances.dense(8)[0];
    TransferPlan plan = (TransferPlan) new ParametricFlowScheduler().schedule(problem);
    int transfers = plan.transfers().size();
    assertThat(PlanSize.bytes(plan, 8)).isBetween(16L * transfers + 8 * 8, 16L * transfers + 300);
  }

  @Test
  void theFloorAddsEveryRateOnce() {
    double[] rates = new double[37];
    for (int at = 0; at < rates.length; at++) {
      rates[at] = 1L << at;
    }
    assertThat(FloorBenchmark.sum(rates, 0, 37)).isEqualTo((1L << 37) - 1);
    assertThat(FloorBenchmark.sum(rates, 3, 20)).isEqualTo((1L << 20) - (1L << 3));
    assertThat(FloorBenchmark.sum(rates, 5, 5)).isZero();
  }
}

package io.cairn.lab.bench.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.Topology;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every rival finds the optimum that ours finds, again and again. */
class RivalTest {
  @ParameterizedTest
  @EnumSource
  void findsOurOptimum(Rival rival) {
    for (int devices : List.of(2, 8, 20)) {
      FlowProblem[] problems = Instances.dense(devices, 4);
      for (int index = 0; index < problems.length; index++) {
        double expected = rival.expectedSeconds(problems[index]);
        DoubleSupplier solver = rival.on(problems[index]);
        assertThat(solver.getAsDouble())
            .as("instance %d of %d devices", index, devices)
            .isCloseTo(expected, Percentage.withPercentage(100 * RivalProbe.TOLERANCE));
        assertThat(solver.getAsDouble()).as("the second time").isCloseTo(expected, within(1e-9));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsAnOptimumByHand(Rival rival) {
    Topology topology = Topology.builder(2).link(0, 1, 24e9).host(12e9).build();
    FlowProblem enough =
        new FlowProblem(topology, new long[] {360_000_000, 0}, new long[] {0, 300_000_000}, 1000);
    FlowProblem little =
        new FlowProblem(topology, new long[] {360_000_000, 0}, new long[] {0, 120_000_000}, 1000);
    assertThat(rival.on(enough).getAsDouble()).isCloseTo(0.010, within(1e-8));
    assertThat(rival.on(little).getAsDouble()).isCloseTo(0.020, within(1e-8));
  }

  @Test
  void anotherOptimumIsRefused() {
    RivalProbe.require(Rival.DINIC, 8, 0, 0.1 * (1 + 0.9e-6), 0.1);
    assertThatThrownBy(() -> RivalProbe.require(Rival.DINIC, 8, 3, 0.1 * (1 + 2e-6), 0.1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("instance 3 of 8 devices")
        .hasMessageContaining("JGraphT, Dinic");
    assertThatThrownBy(() -> RivalProbe.require(Rival.DINIC, 8, 3, Double.NaN, 0.1))
        .isInstanceOf(IllegalStateException.class);
  }
}

package io.cairn.core.flow.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.flow.Topology;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Outputs of real machines, read with the rates of their GPUs. */
class NvidiaSmiDumpsTest {
  private static final double GB = 1e9;
  private static final double NONE = Double.POSITIVE_INFINITY;
  private static final List<List<Integer>> PAIRS =
      List.of(List.of(0, 1), List.of(2, 3), List.of(4, 5), List.of(6, 7));
  private static final List<List<Integer>> APART = List.of();

  /**
   * Name, rates, devices, directed links, GB/s from device 0 to 1 and to the last, cap, sharing.
   */
  static Stream<Arguments> machines() {
    return Stream.of(
        Arguments.of("dgx1-p100", LinkRates.P100, 8, 32, 20, 0, NONE, PAIRS),
        Arguments.of("dgx1-v100-four-nics", LinkRates.V100, 8, 32, 25, 0, NONE, PAIRS),
        Arguments.of(
            "v100-sxm2-cube-mesh", LinkRates.V100, 8, 32, 25, 0, NONE, List.of(List.of(2, 3))),
        Arguments.of("power9-v100", LinkRates.V100, 4, 4, 75, 0, NONE, APART),
        Arguments.of("two-a100-pcie", LinkRates.A100, 2, 0, 0, 0, NONE, APART),
        Arguments.of("a100-seventeen-nics", LinkRates.A100, 8, 56, 300, 300, 300, PAIRS),
        Arguments.of("two-gtx-1080ti", LinkRates.UNKNOWN, 2, 0, 0, 0, NONE, APART),
        Arguments.of("aws-p4d-24xlarge-a100", LinkRates.A100, 8, 56, 300, 300, 300, APART),
        Arguments.of("aws-p5-48xlarge-h100", LinkRates.H100, 8, 56, 450, 450, 450, APART),
        Arguments.of("aws-g6e-12xlarge-l40s", LinkRates.UNKNOWN, 4, 0, 0, 0, NONE, APART),
        Arguments.of(
            "three-rtx-a6000", new LinkRates(14.0625e9, 4, 24e9), 3, 2, 56.25, 0, NONE, APART),
        Arguments.of("gh200-four", LinkRates.H100, 4, 12, 150, 150, NONE, APART),
        Arguments.of("four-l40s", LinkRates.UNKNOWN, 4, 0, 0, 0, NONE, APART),
        Arguments.of("eight-rtx-4090", LinkRates.UNKNOWN, 8, 0, 0, 0, NONE, APART));
  }

  @ParameterizedTest
  @MethodSource("machines")
  void readsTheMachine(
      String name,
      LinkRates rates,
      int devices,
      int links,
      double toNext,
      double toLast,
      double cap,
      List<List<Integer>> sharing) {
    Topology topology = NvidiaSmiTopology.parse(Dumps.read(name + ".txt"), rates);
    assertThat(topology.devices()).isEqualTo(devices);
    assertThat(LinkCounts.links(topology)).isEqualTo(links);
    assertThat(LinkCounts.symmetric(topology)).isTrue();
    assertThat(topology.linkBytesPerSecond(0, 1)).isEqualTo(toNext * GB);
    assertThat(topology.linkBytesPerSecond(0, devices - 1)).isEqualTo(toLast * GB);
    assertThat(LinkCounts.sharing(topology)).isEqualTo(sharing);
    for (int device = 0; device < devices; device++) {
      assertThat(topology.hostBytesPerSecond(device)).isEqualTo(rates.hostBytesPerSecond());
      assertThat(topology.egressBytesPerSecond(device)).isEqualTo(cap * GB);
      assertThat(topology.ingressBytesPerSecond(device)).isEqualTo(cap * GB);
    }
  }

  @Test
  void everyDumpIsTestedAndSaysWhereItIsFrom() {
    String sources = Dumps.read("sources.csv");
    assertThat(Dumps.NAMES).allMatch(name -> sources.contains("\n" + name + ".txt,"));
    assertThat(machines().map(machine -> machine.get()[0]).toList())
        .isEqualTo(List.copyOf(Dumps.NAMES));
  }

  @Test
  void presetsEqualTheOutputOfSuchMachines() {
    equal("dgx1-p100", LinkRates.P100, Presets.dgx1P100());
    equal("dgx1-v100-four-nics", LinkRates.V100, Presets.dgx1V100());
    equal("a100-seventeen-nics", LinkRates.A100, Presets.hgxA100());
    equal("aws-p5-48xlarge-h100", LinkRates.H100, Presets.dgxH100());
  }

  private static void equal(String dump, LinkRates rates, Machine machine) {
    Topology printed = NvidiaSmiTopology.parse(Dumps.read(dump + ".txt"), rates);
    Topology preset = machine.topology();
    assertThat(preset.sharedHostLinks()).isEqualTo(printed.sharedHostLinks());
    for (int from = 0; from < preset.devices(); from++) {
      assertThat(preset.egressBytesPerSecond(from)).isEqualTo(printed.egressBytesPerSecond(from));
      assertThat(preset.hostBytesPerSecond(from)).isEqualTo(printed.hostBytesPerSecond(from));
      for (int to = 0; to < preset.devices(); to++) {
        assertThat(preset.linkBytesPerSecond(from, to))
            .as("%s: %d to %d", dump, from, to)
            .isEqualTo(printed.linkBytesPerSecond(from, to));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void anUnknownGpuHasTheSameLinks(String name, LinkRates rates) {
    String text = Dumps.read(name + ".txt");
    Topology named = NvidiaSmiTopology.parse(text, rates);
    Topology unknown = NvidiaSmiTopology.parse(text);
    assertThat(LinkCounts.links(unknown)).isEqualTo(LinkCounts.links(named));
    assertThat(LinkCounts.sharing(unknown)).isEqualTo(LinkCounts.sharing(named));
    assertThat(unknown.egressBytesPerSecond(0)).isEqualTo(named.egressBytesPerSecond(0));
  }
}

package io.cairn.core.flow.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.core.flow.Topology;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PresetsTest {
  private static final double GB = 1e9;
  private static final List<List<Integer>> PAIRS =
      List.of(List.of(0, 1), List.of(2, 3), List.of(4, 5), List.of(6, 7));

  static Stream<Machine> machines() {
    return Stream.of(
        Presets.dgx1(),
        Presets.dgx1SharedHost(),
        Presets.dgx1V100(),
        Presets.dgx1P100(),
        Presets.dgx2(),
        Presets.hgxA100(),
        Presets.dgxH100(),
        Presets.nvSwitch(16),
        Presets.nvSwitchUncapped(16));
  }

  @Test
  void dgx1IsThePublishedTable() {
    String[] table = {
      "0 1 1 2 2 0 0 0", "1 0 2 1 0 2 0 0", "1 2 0 2 0 0 1 0", "2 1 2 0 0 0 0 1",
      "2 0 0 0 0 1 1 2", "0 2 0 0 1 0 2 1", "0 0 1 0 1 2 0 2", "0 0 0 1 2 1 2 0"
    };
    Topology dgx1 = Presets.dgx1().topology();
    for (int from = 0; from < 8; from++) {
      String[] row = table[from].split(" ", -1);
      for (int to = 0; to < 8; to++) {
        assertThat(dgx1.linkBytesPerSecond(from, to))
            .isEqualTo(Integer.parseInt(row[to]) * 24 * GB);
      }
      assertThat(dgx1.hostBytesPerSecond(from)).isEqualTo(12 * GB);
    }
    assertThat(dgx1.hasSharedCapacities()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "dgx1,             8, 144, 12",
    "dgx1-shared-host, 8, 144, 12",
    "dgx1-v100,        8, 150, 12",
    "dgx1-p100,        8,  80, 12",
    "dgx2,            16, 150, 12",
    "hgx-a100,         8, 300, 24",
    "dgx-h100,         8, 450, 48",
    "nvswitch:64,     64, 150, 12"
  })
  void aDeviceSendsAtTheRateOfItsNvLinks(String name, int devices, double all, double host) {
    Topology topology = PresetNames.topology(name);
    assertThat(topology.devices()).isEqualTo(devices);
    for (int device = 0; device < devices; device++) {
      double links = LinkCounts.sum(topology, device);
      assertThat(Math.min(links, topology.egressBytesPerSecond(device))).isEqualTo(all * GB);
      assertThat(Math.min(links, topology.ingressBytesPerSecond(device))).isEqualTo(all * GB);
      assertThat(topology.hostBytesPerSecond(device)).isEqualTo(host * GB);
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void linksAreAsFastBack(Machine machine) {
    assertThat(LinkCounts.symmetric(machine.topology())).isTrue();
  }

  @Test
  void p100HasALinkWhereV100HasAny() {
    Topology p100 = Presets.dgx1P100().topology();
    Topology v100 = Presets.dgx1V100().topology();
    for (int pair = 0; pair < 64; pair++) {
      double expected = v100.linkBytesPerSecond(pair / 8, pair % 8) > 0 ? 20 * GB : 0;
      assertThat(p100.linkBytesPerSecond(pair / 8, pair % 8)).isEqualTo(expected);
    }
    assertThat(LinkCounts.degree(p100, 0)).isEqualTo(4);
  }

  @Test
  void hostLinksAreSharedAsTheBoardsShareThem() {
    assertThat(LinkCounts.sharing(Presets.dgx1().topology())).isEmpty();
    assertThat(LinkCounts.sharing(Presets.dgx1SharedHost().topology())).isEqualTo(PAIRS);
    assertThat(LinkCounts.sharing(Presets.dgx1V100().topology())).isEqualTo(PAIRS);
    assertThat(LinkCounts.sharing(Presets.dgx1P100().topology())).isEqualTo(PAIRS);
    assertThat(LinkCounts.sharing(Presets.hgxA100().topology())).isEqualTo(PAIRS);
    assertThat(LinkCounts.sharing(Presets.dgxH100().topology())).isEmpty();
    assertThat(LinkCounts.sharing(Presets.dgx2().topology()))
        .hasSize(4)
        .contains(List.of(12, 13, 14, 15));
    assertThat(Presets.hgxA100().topology().sharedHostLinks().get(0).bytesPerSecond())
        .isEqualTo(24 * GB);
  }

  @Test
  void anUncappedSwitchHasTheSameLinksAndNoCaps() {
    Topology uncapped = Presets.nvSwitchUncapped(16).topology();
    assertThat(uncapped.linkBytesPerSecond(3, 12)).isEqualTo(150 * GB);
    assertThat(uncapped.hasSharedCapacities()).isFalse();
  }

  @Test
  void aClusterRepeatsItsMachineBehindNetworkCards() {
    Machine machine = Presets.dgx1V100();
    Topology cluster = machine.cluster(3, 50 * GB);
    Topology one = machine.topology();
    assertThat(cluster.devices()).isEqualTo(24);
    assertThat(cluster.nodes()).hasSize(3).allMatch(node -> node.outBytesPerSecond() == 50 * GB);
    assertThat(LinkCounts.links(cluster)).isEqualTo(3 * LinkCounts.links(one));
    assertThat(cluster.linkBytesPerSecond(16, 20)).isEqualTo(one.linkBytesPerSecond(0, 4));
    assertThat(cluster.linkBytesPerSecond(0, 8)).isZero();
    assertThat(cluster.viaNetwork(0, 8)).isTrue();
    assertThat(LinkCounts.sharing(cluster)).hasSize(12).contains(List.of(22, 23));
  }

  @Test
  void refusesSizesThatNoMachineHas() {
    assertThatIllegalArgumentException().isThrownBy(() -> Presets.nvSwitch(1));
    assertThatIllegalArgumentException().isThrownBy(() -> Presets.nvSwitch(577));
    assertThatIllegalArgumentException().isThrownBy(() -> Presets.dgx1().cluster(0, GB));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Presets.dgx1().cluster(Integer.MAX_VALUE, GB))
        .withMessageContaining("at most 16384 devices");
    assertThatIllegalArgumentException().isThrownBy(() -> Presets.dgx1().cluster(2, Double.NaN));
  }
}

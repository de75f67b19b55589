package io.cairn.core.flow.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.core.flow.Topology;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PresetNamesTest {
  @Test
  void everyListedNameIsFound() {
    assertThat(PresetNames.all()).hasSize(10);
    for (String name : PresetNames.all()) {
      String real = name.replace("NxMACHINE@GB/s", "2xdgx2@12.5").replace(":N", ":16");
      assertThat(PresetNames.topology(real).devices()).as(real).isGreaterThanOrEqualTo(8);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cluster:4xdgx1@25,            32, 4, 25e9",
    "cluster:2xnvswitch:16@12.5,   32, 2, 12.5e9",
    "cluster:1250xdgx-h100@400, 10000, 1250, 400e9",
    "cluster:1xhgx-a100@0,          8, 1, 0"
  })
  void aClusterIsNamedByCountMachineAndRate(String name, int devices, int nodes, double nic) {
    Topology topology = PresetNames.topology(name);
    assertThat(topology.devices()).isEqualTo(devices);
    assertThat(topology.nodes()).hasSize(nodes).allMatch(node -> node.outBytesPerSecond() == nic);
  }

  @ParameterizedTest
  @CsvSource({
    "dgx-1, dgx1",
    "dgx3, dgx2",
    "hgx-a10, hgx-a100",
    "nvswich:64, nvswitch:N",
    "dgxh100, dgx-h100",
    "clutser:2xdgx1@1, cluster:NxMACHINE@GB/s",
    "cluster:2xdgxl@1, dgx1"
  })
  void anUnknownNameIsAnsweredWithItsNearest(String name, String nearest) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PresetNames.topology(name))
        .withMessageMatching(".*the nearest are [^;]*" + Pattern.quote(nearest) + "[^;]*;.*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nvswitch",
        "nvswitch:",
        "nvswitch:9999999999",
        "nvswitch:1",
        "cluster:2xcluster:2xdgx1@1@1",
        "cluster:2xdgx1",
        "cluster:2xdgx1@-1",
        "cluster:2xdgx1@NaN",
        "cluster:0xdgx1@1",
        "cluster:999999xdgx1@1",
        "DGX1",
        " dgx1"
      })
  void rejectsUnknownNames(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> PresetNames.topology(name));
  }

  @Test
  void aVeryLongNameIsCutInTheAnswer() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PresetNames.topology("d".repeat(1 << 20)))
        .satisfies(e -> assertThat(e).message().hasSizeLessThan(500));
  }
}

package io.cairn.core.flow.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.core.flow.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Oddities and mistakes, one at a time. */
class NvidiaSmiTopologyTest {
  private static final String PAIR = "  GPU0 GPU1 CPU Affinity\nGPU0 X NV2 0-7\nGPU1 NV2 X 0-7\n";

  @Test
  void blanksTabsCarriageReturnsAndTerminalCodesAreOne() {
    Topology expected = NvidiaSmiTopology.parse(PAIR);
    for (String text :
        List.of(
            PAIR.replace(' ', '\t'),
            PAIR.replace("\n", "\r\n"),
            PAIR.replace(' ', '\u00A0'),
            PAIR.replace("  GPU0", "\t\u001B[4mGPU0").replace("Affinity", "Affinity\u001B[0m"))) {
      Topology topology = NvidiaSmiTopology.parse(text);
      assertThat(topology.devices()).isEqualTo(2);
      assertThat(topology.linkBytesPerSecond(1, 0)).isEqualTo(expected.linkBytesPerSecond(1, 0));
    }
  }

  @Test
  void notesAroundAndBetweenTheLinesDoNotMatter() {
    String noted =
        "$ nvidia-smi topo -m\nGPU0 and GPU1 have MIG enabled\n\n"
            + PAIR.replace("\nGPU1", "\nMIG 3g.40gb: no peer access\n\nGPU1")
            + "Legend:\nGPU9 X X X\n";
    assertThat(NvidiaSmiTopology.parse(noted).linkBytesPerSecond(0, 1)).isEqualTo(50e9);
  }

  @Test
  void aGpuThatIsMissingLeavesNoGap() {
    Topology topology =
        NvidiaSmiTopology.parse(
            "GPU0 GPU2 GPU3\nGPU0 X NV1 SYS\nGPU2 NV1 X NV2\nGPU3 SYS NV2 X", LinkRates.V100);
    assertThat(topology.devices()).isEqualTo(3);
    assertThat(topology.linkBytesPerSecond(1, 2)).isEqualTo(50e9);
    assertThat(topology.linkBytesPerSecond(0, 2)).isZero();
  }

  @Test
  void oneGpuAlone() {
    Topology topology = NvidiaSmiTopology.parse("GPU0 CPU Affinity\nGPU0 X 0-7");
    assertThat(topology.devices()).isEqualTo(1);
    assertThat(topology.hostBytesPerSecond(0)).isEqualTo(12e9);
  }

  @Test
  void gpusBehindOneBridgeShareAHostLinkWithoutBeingLinked() {
    Topology topology =
        NvidiaSmiTopology.parse(
            "GPU0 GPU1 GPU2 GPU3\nGPU0 X PIX PXB SYS\nGPU1 PIX X PXB SYS\nGPU2 PXB PXB X PHB\n"
                + "GPU3 SYS SYS PHB X",
            LinkRates.A100);
    assertThat(LinkCounts.links(topology)).isZero();
    assertThat(LinkCounts.sharing(topology)).containsExactly(List.of(0, 1, 2));
    assertThat(topology.sharedHostLinks().get(0).bytesPerSecond()).isEqualTo(24e9);
  }

  @Test
  void networkCardsShowGpusThatShareAHostLink() {
    String gpus = "GPU0 GPU1 NIC0 NIC1\nGPU0 X NV4 PIX NODE\nGPU1 NV4 X NODE PXB\n";
    String cards = "NIC0 PIX NODE X %s\nNIC1 NODE PXB %s X\n";
    assertThat(LinkCounts.sharing(NvidiaSmiTopology.parse(gpus + cards.replace("%s", "NODE"))))
        .isEmpty();
    assertThat(LinkCounts.sharing(NvidiaSmiTopology.parse(gpus + cards.replace("%s", "PXB"))))
        .containsExactly(List.of(0, 1));
    assertThat(LinkCounts.sharing(NvidiaSmiTopology.parse(gpus + "NIC0 PIX NODE X PX"))).isEmpty();
  }

  @Test
  void moreLinksThanAGpuHasLeadToASwitch() {
    String three = "GPU0 GPU1 GPU2\nGPU0 X NV6 NV6\nGPU1 NV6 X NV6\nGPU2 NV6 NV6 X";
    Topology v100 = NvidiaSmiTopology.parse(three, LinkRates.V100);
    assertThat(v100.egressBytesPerSecond(0)).isEqualTo(150e9);
    assertThat(v100.ingressBytesPerSecond(2)).isEqualTo(150e9);
    Topology h100 = NvidiaSmiTopology.parse(three, LinkRates.H100);
    assertThat(h100.hasSharedCapacities()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'nothing here'                                | line 1: | paste the output of nvidia-smi
          'GPU0 GPU1;GPU0 X NV1'                        | line 2: | before the row of GPU1
          'GPU0 GPU1;GPU0 X;GPU1 NV1 X'                 | line 2: | ends after 1 of 2 cells
          'GPU0 GPU1;GPU0 X OK;GPU1 OK X'               | line 2: | "OK" between GPU0 and GPU1
          'GPU0 GPU1;GPU0 X NV0;GPU1 NV0 X'             | line 2: | no kind of path
          'GPU0 GPU1;GPU0 X NV19;GPU1 NV19 X'           | line 2: | NV1 to NV18
          'GPU0 GPU1;GPU0 NV1 X;GPU1 X NV1'             | line 2: | missing or swapped
          'GPU0 GPU1;GPU0 X NV1;GPU1 NV2 X'             | line 3: | otherwise than line 2
          'GPU0 GPU1;GPU0 X NV1;GPU0 X NV1;GPU1 NV1 X'  | line 3: | a row in line 2 already
          'GPU0 GPU1;GPU0 X NV1;GPU5 NV1 X'             | line 3: | does not name
          'GPU0 GPU1 GPU0;GPU0 X NV1 X'                 | line 1: | two columns GPU0
          'GPU0 GPU1;GPU0 X NV1;Legend:;GPU1 NV1 X'     | line 3: | before the row of GPU1
          """)
  void rejectsWithTheLineAndTheRemedy(String text, String line, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NvidiaSmiTopology.parse(text.replace(';', '\n')))
        .withMessageStartingWith(line)
        .withMessageContaining(reason);
  }

  @Test
  void refusesRatesThatTheMatrixContradicts() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> NvidiaSmiTopology.parse(Dumps.read("dgx1-v100-four-nics.txt"), LinkRates.P100))
        .withMessageStartingWith("line 4: GPU0 has 2 NVLinks to one peer and 6 to all");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> NvidiaSmiTopology.parse(Dumps.read("aws-p5-48xlarge-h100.txt"), LinkRates.A100))
        .withMessageContaining("name the GPU that the machine has");
  }

  @Test
  void rejectsLongText() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NvidiaSmiTopology.parse("\n".repeat((1 << 20) + 1)))
        .withMessageStartingWith("line 1: ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NvidiaSmiTopology.parse("\n" + "x".repeat((1 << 14) + 1)))
        .withMessageStartingWith("line 2: ");
    StringBuilder header = new StringBuilder();
    for (int gpu = 0; gpu < 257; gpu++) {
      header.append("GPU").append(gpu).append(' ');
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NvidiaSmiTopology.parse(header.toString()))
        .withMessageContaining("names 257 GPUs");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4, 12e9",
    "NaN, 4, 12e9",
    "25e9, 19, 12e9",
    "25e9, -1, 12e9",
    "25e9, 4, Infinity"
  })
  void refusesRatesOutOfRange(double nvLink, int links, double host) {
    assertThatIllegalArgumentException().isThrownBy(() -> new LinkRates(nvLink, links, host));
  }

  @Test
  void anotherHostLinkLeavesTheNvLinksAsTheyAre() {
    Topology topology = NvidiaSmiTopology.parse(PAIR, new LinkRates(20e9, 4, 6e9));

    assertThat(topology.hostBytesPerSecond(1)).isEqualTo(6e9);
    assertThat(topology.linkBytesPerSecond(0, 1)).isEqualTo(40e9);
  }
}

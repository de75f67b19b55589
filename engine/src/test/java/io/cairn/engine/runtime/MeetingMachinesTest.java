package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Cairn;
import io.cairn.Level;
import io.cairn.RestoreReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * PEER without Spark: four instances meet at an address, and machines are lost with all that they
 * held. Machine 0 hosts the coordinators and the desk.
 */
@Timeout(120)
class MeetingMachinesTest {
  @TempDir private Path root = Path.of("");
  private MeetingPort port;

  @BeforeEach
  void choosePort() throws IOException {
    port = MeetingPort.free();
  }

  private void lose(String peer, Integer... lost) throws Exception {
    LosableMachines machines =
        new LosableMachines(
            (ranks, size) -> ranks, root, 4, "peer", peer, "coordinator", port.toString());
    machines.train();
    for (int machine : lost) {
      machines.lose(machine);
    }

    List<RestoreReport> reports = machines.restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i10");
    for (int rank = 0; rank < reports.size(); rank++) {
      assertThat(reports.get(rank).level())
          .as("rank %d from %s", rank, reports.get(rank).source())
          .isEqualTo(List.of(lost).contains(rank) ? Level.PEER : Level.NODE);
    }
  }

  @Test
  void peerWithoutAPlaceToMeetIsRefused() {
    assertThatThrownBy(() -> Cairn.open(Map.of("peer", "partner")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("set coordinator");
  }

  @Test
  void aLostMachineRestoresFromItsPartner() throws Exception {
    lose("partner", 1);
  }

  @Test
  void aLostMachineIsRebuiltByXor() throws Exception {
    lose("xor:3", 0);
  }

  @Test
  void twoLostMachinesAreRebuiltByReedSolomon() throws Exception {
    lose("rs:4+2", 0, 3);
  }
}

package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PEER: every rank's partner keeps a copy, and machines are lost with all that they held. */
@Timeout(120)
class LostMachinesTest {
  private static final int MACHINES = 3;

  @TempDir Path root;
  private final ServedNodes nodes = new ServedNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  private LosableMachines machines(String... settings) {
    List<String> all = new ArrayList<>(List.of("peer", "partner"));
    all.addAll(List.of(settings));
    return new LosableMachines(nodes::join, root, MACHINES, all.toArray(String[]::new));
  }

  @Test
  void theLossOfAnyOneMachineLeavesTheNewestCheckpointAtPeer() throws Exception {
    LosableMachines machines = machines();
    machines.train();
    machines.lose(1);

    List<RestoreReport> reports = machines.restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i10");
    assertThat(reports)
        .extracting(RestoreReport::level)
        .containsExactly(Level.NODE, Level.PEER, Level.NODE);
    assertThat(reports.get(1).source()).contains("PEER").contains("machine-2");
  }

  @Test
  void compressedCopiesAtPeerAreRestored() throws Exception {
    LosableMachines machines = machines("node.codec", "shuffle-zstd");
    machines.train();
    machines.lose(1);

    List<RestoreReport> reports = machines.restore();

    assertThat(reports)
        .extracting(RestoreReport::level)
        .containsExactly(Level.NODE, Level.PEER, Level.NODE);
  }

  @Test
  void withoutALossPeerIsNotNeeded() throws Exception {
    LosableMachines machines = machines();
    machines.train();

    List<RestoreReport> reports = machines.restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i18");
    assertThat(reports).extracting(RestoreReport::level).containsOnly(Level.NODE);
  }

  /** Machine 2 keeps what machine 1 had. */
  @Test
  void theLossOfAMachineAndItsPartnerLeavesStore() throws Exception {
    LosableMachines machines = machines();
    machines.train();
    machines.lose(1);
    machines.lose(2);

    List<RestoreReport> reports = machines.restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i0");
    assertThat(reports.get(1).level()).isEqualTo(Level.STORE);
  }

  @Test
  void aDamagedCopyAtAPartnerIsNotRestored() throws Exception {
    LosableMachines machines = machines();
    machines.train();
    machines.lose(1);
    machines.damage(2, "e000001-i0000000010/writer-r00001.chunks");

    List<RestoreReport> reports = machines.restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i0");
  }

  @Test
  void withoutAnotherMachineTheCheckpointIsSkippedAtPeerWithTheReason() throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    try (Ranks ranks = machines().ranks("alone");
        Checkpointer checkpointer = ranks.cairn(0).join("alone")) {
      ranks
          .cairn(0)
          .observers()
          .add(
              event -> {
                if (event instanceof CairnEvent.Settled settled && settled.level() == Level.PEER) {
                  outcomes.add(settled.outcome());
                }
              });
      Toy toy = new Toy();
      toy.protectBy(checkpointer);

      CheckpointTicket ticket = toy.run(checkpointer, 0, 1);

      assertThat(ticket.sealed(Level.PEER).get(1, TimeUnit.MINUTES))
          .isEqualTo(new Outcome.Skipped("this process knows no other nodes"));
      assertThat(ticket.sealed(Level.STORE).get(1, TimeUnit.MINUTES))
          .isEqualTo(new Outcome.Sealed(Level.STORE));
      assertThat(outcomes).hasSize(1);
    }
  }
}

package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.RestoreReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * PEER with parities: sets of ranks on different machines share them, and machines are lost with
 * all that they held. With four machines and sets of three, ranks 0 to 2 have their parity at
 * machine 3, and rank 3 has its own at machine 1.
 */
@Timeout(120)
class LostSetsTest {
  @TempDir Path root;
  private final ServedNodes nodes = new ServedNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  private LosableMachines xor() {
    return new LosableMachines(nodes::join, root, 4, "peer", "xor:3");
  }

  /** Two parities each: sets of two ranks. */
  private LosableMachines reedSolomon() {
    return new LosableMachines(nodes::join, root, 4, "peer", "rs:4+2");
  }

  private static void requireAtPeer(List<RestoreReport> reports, Integer... lost) {
    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i10");
    for (int rank = 0; rank < reports.size(); rank++) {
      boolean here = !List.of(lost).contains(rank);
      assertThat(reports.get(rank).level()).isEqualTo(here ? Level.NODE : Level.PEER);
    }
  }

  @Test
  void theLossOfAnyOneMachineLeavesWhatXorRebuilds() throws Exception {
    LosableMachines machines = xor();
    machines.train();
    machines.lose(1);

    List<RestoreReport> reports = machines.restore();

    requireAtPeer(reports, 1);
    assertThat(reports.get(1).source()).contains("rebuilt").contains("machine-3");
  }

  @Test
  void aMachineThatHeldAParityIsRebuiltToo() throws Exception {
    LosableMachines machines = xor();
    machines.train();
    machines.lose(3);

    requireAtPeer(machines.restore(), 3);
  }

  @Test
  void oneMoreThanXorSurvivesLeavesStore() throws Exception {
    LosableMachines machines = xor();
    machines.train();
    machines.lose(0);
    machines.lose(2);

    List<RestoreReport> reports = machines.restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i0");
    assertThat(reports.get(0).attempts())
        .anySatisfy(attempt -> assertThat(attempt.refusal()).contains("rank 2 of machine-2"));
  }

  @Test
  void aDamagedSurvivorIsNotBelieved() throws Exception {
    LosableMachines machines = xor();
    machines.train();
    machines.lose(1);
    machines.damage(2, "e000001-i0000000010/writer-r00002.chunks");

    List<RestoreReport> reports = machines.restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i0");
  }

  @Test
  void aDamagedSurvivorIsLeftOutWhereAParityIsSpare() throws Exception {
    LosableMachines machines = reedSolomon();
    machines.train();
    machines.lose(0);
    machines.damage(1, "e000001-i0000000010/writer-r00001.chunks");

    requireAtPeer(machines.restore(), 0, 1);
  }

  @Test
  void theLossOfAnyTwoMachinesLeavesWhatReedSolomonRebuilds() throws Exception {
    LosableMachines machines = reedSolomon();
    machines.train();
    machines.lose(0);
    machines.lose(3);

    requireAtPeer(machines.restore(), 0, 3);
  }

  @Test
  void oneMoreThanReedSolomonSurvivesLeavesStore() throws Exception {
    LosableMachines machines = reedSolomon();
    machines.train();
    machines.lose(0);
    machines.lose(1);
    machines.lose(2);

    List<RestoreReport> reports = machines.restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i0");
  }

  @Test
  void theMachinesOfParitiesKeepNoCopies() throws Exception {
    LosableMachines machines = xor();

    machines.train();

    assertThat(kept(3)).contains("parity-s00000-0.chunks").noneMatch(RANKS::contains);
    assertThat(kept(0)).noneMatch(name -> name.startsWith("parity-"));
  }

  private static final List<String> RANKS =
      List.of("writer-r00000.chunks", "writer-r00001.chunks", "writer-r00002.chunks");

  /** Names of the files that a machine keeps for others, of the checkpoint at PEER. */
  private List<String> kept(int machine) throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve("later/machine-" + machine + "/node"))) {
      return files
          .filter(file -> file.toString().contains("/.peer/"))
          .filter(file -> file.toString().contains("e000001-i0000000010/"))
          .map(file -> file.getFileName().toString())
          .toList();
    }
  }
}

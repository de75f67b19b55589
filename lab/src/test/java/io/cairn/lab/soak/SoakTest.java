package io.cairn.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.LabCommand;
import io.cairn.lab.measure.BenchReport;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A few blows of the soak, on real executors. */
class SoakTest {
  private static final int BLOWS = 5;
  private static final double MINUTES = 2.5;

  /** Its first five blows are one of each kind, and the last takes the whole machine. */
  private static final long SEED = 1326;

  @TempDir(cleanup = CleanupMode.NEVER)
  Path directory;

  @Test
  void theLauncherFindsIt() {
    assertThat(ServiceLoader.load(LabCommand.class)).hasAtLeastOneElementOfType(SoakCommand.class);
  }

  @Test
  void eachExecutorOfAMachineHasARankAndTwoMachinesHaveOneParity() {
    LosableMachines machines = new LosableMachines(4, 2, "rs", false);

    assertThat(machines.workers()).isEqualTo(4);
    assertThat(machines.groups()).extracting(SoakGroup::size).containsExactly(8);
    assertThat(machines.survived()).isEqualTo(2);
    assertThat(new LosableMachines(2, 2, "rs", false).survived()).isEqualTo(1);
    assertThat(new LosableMachines(4, 2, "xor", false).survived()).isEqualTo(1);
  }

  @Test
  @Tag("proof")
  @Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyRankGoesOnFromTheNewestCheckpointThatItsLossesAllow() throws Exception {
    BenchReport report = soak(new OneMachine(), BLOWS, MINUTES);

    assertThat(column(report, 0, "times")).isNotEmpty();
    assertThat(column(report, 1, "group")).containsOnly("coupled", "large", "small");
    assertThat(report.lines()).noneMatch(line -> line.endsWith("others' memory: 0 times"));
  }

  @Test
  @Tag("proof")
  @Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aGroupGoesOnFromPeerAfterTheLossOfAMachineAndFromStoreAfterThatOfBoth() throws Exception {
    SoakCluster machines = new LosableMachines(2, 1, "partner", false);

    requirePeerThenStore(soak(machines, 2, MINUTES));
  }

  @Test
  @Tag("proof")
  @Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void severalExecutorsOfAMachineAreProtectedTogether() throws Exception {
    SoakCluster machines = new LosableMachines(3, 2, "xor", false);

    requirePeerThenStore(soak(machines, 2, 2 * MINUTES));
  }

  private BenchReport soak(SoakCluster cluster, int blows, double minutes) throws Exception {
    BenchReport report = new BenchReport("cairn-lab soak");
    new SoakRun(directory, SEED, cluster).run(blows, minutes, report, blow -> {});
    assertThat(report.passed()).as("%s", report.lines()).isTrue();
    return report;
  }

  private static void requirePeerThenStore(BenchReport report) {
    assertThat(column(report, 0, "blow")).containsExactlyInAnyOrder("LOSE_SOME", "LOSE_MORE");
    assertThat(column(report, 0, "times")).containsExactly(1, 1);
    assertThat(column(report, 1, "from"))
        .contains("lose_some: PEER", "lose_more: STORE")
        .doesNotContain("lose_some: STORE");
  }

  private static List<Object> column(BenchReport report, int table, String name) {
    return report.tables().get(table).rows().stream().map(row -> row.get(name)).toList();
  }
}

package io.cairn.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.LabCommand;
import java.nio.file.Path;
import java.util.Map;
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
    SoakReport report =
        new SoakRun(directory, SEED, new OneMachine()).run(BLOWS, MINUTES, blow -> {});
    assertThat(report.problems()).as("%s, logs in %s", report, directory).isEmpty();
    assertThat(report.blows().values().stream().mapToInt(count -> count).sum()).isPositive();
    assertThat(report.sources()).containsOnlyKeys("coupled", "large", "small");
    assertThat(report.borrowedRestores()).as("%s", report).isPositive();
  }

  @Test
  @Tag("proof")
  @Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aGroupGoesOnFromPeerAfterTheLossOfAMachineAndFromStoreAfterThatOfBoth() throws Exception {
    SoakCluster machines = new LosableMachines(2, 1, "partner", false);

    SoakReport report = new SoakRun(directory, SEED, machines).run(2, MINUTES, blow -> {});

    assertThat(report.problems()).as("%s, logs in %s", report, directory).isEmpty();
    assertThat(report.blows()).isEqualTo(Map.of("LOSE_SOME", 1, "LOSE_MORE", 1));
    assertThat(report.sources().get("coupled"))
        .containsKeys("lose_some: PEER", "lose_more: STORE")
        .doesNotContainKey("lose_some: STORE");
  }

  @Test
  @Tag("proof")
  @Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void severalExecutorsOfAMachineAreProtectedTogether() throws Exception {
    SoakCluster machines = new LosableMachines(3, 2, "xor", false);

    SoakReport report = new SoakRun(directory, SEED, machines).run(2, 2 * MINUTES, blow -> {});

    assertThat(report.problems()).as("%s, logs in %s", report, directory).isEmpty();
    assertThat(report.blows()).isEqualTo(Map.of("LOSE_SOME", 1, "LOSE_MORE", 1));
    assertThat(report.sources().get("coupled"))
        .containsKeys("lose_some: PEER", "lose_more: STORE")
        .doesNotContainKey("lose_some: STORE");
  }
}

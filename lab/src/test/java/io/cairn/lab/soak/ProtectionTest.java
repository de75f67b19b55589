package io.cairn.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.soak.SoakEvent.Executor;
import io.cairn.lab.soak.SoakEvent.What;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines may be lost only while PEER protects the group. */
class ProtectionTest {
  private static final Executor FIRST = new Executor(100, "0");
  private static final Executor SECOND = new Executor(101, "1");

  @TempDir private Path directory;
  private SoakLog log = new SoakLog(Path.of(""), "");
  private Protection protection = new Protection(log);

  @BeforeEach
  void begin() {
    log = new SoakLog(directory, "group");
    protection = new Protection(log);
    enter(1);
  }

  private void enter(long epoch) {
    log.report(new SoakEvent(What.START, 0, FIRST, epoch, -1, SoakEvent.NONE));
    log.report(new SoakEvent(What.START, 1, SECOND, epoch, -1, SoakEvent.NONE));
  }

  private void sealed(long epoch, String level) {
    log.report(new SoakEvent(What.SEALED, 0, FIRST, epoch, 10, level));
  }

  @Test
  void aSealAtNodeProtectsNothing() {
    sealed(1, "NODE");

    assertThat(protection.executors()).isEmpty();
  }

  @Test
  void aSealAtPeerProtectsAllRanks() {
    sealed(1, "PEER");

    assertThat(protection.executors()).containsExactly(FIRST, SECOND);
  }

  @Test
  void aNewEpochHasToBeProtectedAgain() {
    sealed(1, "PEER");
    enter(2);
    sealed(1, "PEER");

    assertThat(protection.executors()).isEmpty();
  }

  @Test
  void aSealThatIsReportedAfterALossProtectsNothing() {
    sealed(1, "PEER");
    log.report(SoakEvent.blow(What.LOSE_SOME, 0, Executor.ALL));
    sealed(1, "PEER");

    assertThat(protection.executors()).isEmpty();
  }

  @Test
  void theNextEpochAfterALossIsProtectedByItsFirstSeal() {
    log.report(SoakEvent.blow(What.LOSE_SOME, 0, Executor.ALL));
    enter(2);
    sealed(2, "PEER");

    assertThat(protection.executors()).containsExactly(FIRST, SECOND);
  }
}

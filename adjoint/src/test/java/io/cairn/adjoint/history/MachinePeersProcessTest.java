package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that lend each other memory, and die, stop and end. */
@Timeout(120)
class MachinePeersProcessTest {
  private static final int STEPS = 14;

  @TempDir Path directory;
  private final List<ChildProcess> children = new ArrayList<>();

  /** Those that were not heard of yet. */
  private final Set<ChildProcess> starting = new HashSet<>();

  @AfterEach
  void end() {
    children.forEach(ChildProcess::close);
  }

  private ChildProcess start(int number, int deviceStates, int fileStates) throws IOException {
    ChildProcess child =
        HistoryProcess.command(directory, number, deviceStates, fileStates).start();
    children.add(child);
    starting.add(child);
    return child;
  }

  private String tell(ChildProcess child, String command, int argument, String answer)
      throws IOException {
    if (starting.remove(child)) {
      child.await("ready");
    }
    child.send(command, argument);
    return child.await(answer);
  }

  /** The lender has ten states, and lends nine. */
  private void lendNine(ChildProcess borrower, ChildProcess lender) throws IOException {
    tell(lender, "expect", 1, "expects");
    tell(borrower, "expect", STEPS - 1, "expects");
    tell(borrower, "borrow", 9, "borrows");
  }

  @Test
  void aProcessKeepsItsStatesInMemoryOfAnother() throws IOException, InterruptedException {
    ChildProcess borrower = start(0, 4, 0);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);

    tell(borrower, "store", STEPS - 1, "stored");
    tell(lender, "store", 1, "stored");

    assertThat(tell(borrower, "restore", STEPS - 1, "restored")).isEqualTo(" 13 lost 0 other 0");
    assertThat(tell(lender, "restore", 1, "restored")).isEqualTo(" 1 lost 0 other 0");
    borrower.endInput();
    tell(lender, "lent", 0, "lends");
    lender.endInput();
    assertThat(borrower.exitStatus()).isZero();
    assertThat(lender.exitStatus()).isZero();
  }

  @RepeatedTest(2)
  void aKilledLenderTakesNoStateUnnoticed(RepetitionInfo repetition)
      throws IOException, InterruptedException {
    int seed = repetition.getCurrentRepetition();
    int kill = new SplittableRandom(seed).nextInt(1, STEPS - 1);
    ChildProcess borrower = start(0, 4, 100);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);

    borrower.send("store", STEPS - 1);
    for (int step = 0; step < kill; step++) {
      borrower.await("step");
    }
    lender.kill();
    borrower.await("stored");

    String found = tell(borrower, "restore", STEPS - 1, "restored");
    assertThat(found).as("seed %d, killed after %d", seed, kill).endsWith(" other 0");
    ChildProcess next = start(1, 10, 0);
    lendNine(borrower, next);
    tell(borrower, "store", STEPS - 1, "stored");
    assertThat(tell(borrower, "restore", STEPS - 1, "restored")).isEqualTo(" 13 lost 0 other 0");
  }

  @Test
  void statesThatLayAtAKilledLenderAloneAreNamed() throws IOException, InterruptedException {
    ChildProcess borrower = start(0, 4, 0);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);
    tell(borrower, "store", STEPS - 1, "stored");

    lender.kill();
    tell(borrower, "lose", 0, "lost");

    assertThat(tell(borrower, "restore", STEPS - 1, "restored")).isEqualTo(" 4 lost 9 other 0");
  }

  @Test
  void securedStatesSurviveTheirLender() throws IOException, InterruptedException {
    ChildProcess borrower = start(0, 4, 100);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);
    tell(borrower, "store", STEPS - 1, "stored");
    tell(borrower, "secure", STEPS - 1, "secured");

    lender.kill();

    assertThat(tell(borrower, "restore", STEPS - 1, "restored")).isEqualTo(" 13 lost 0 other 0");
  }

  @Test
  void aLenderThatNeedsItsMemoryGetsItBack() throws IOException {
    ChildProcess borrower = start(0, 4, 100);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);
    tell(borrower, "store", STEPS - 1, "stored");

    assertThat(tell(lender, "large", 0, "large ")).isEqualTo("true");

    assertThat(tell(borrower, "restore", STEPS - 1, "restored")).isEqualTo(" 13 lost 0 other 0");
  }

  @Test
  void aLenderThatEndsInOrderLosesNoState() throws IOException, InterruptedException {
    ChildProcess borrower = start(0, 4, 100);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);
    tell(borrower, "store", STEPS - 1, "stored");

    lender.endInput();
    assertThat(lender.exitStatus()).isZero();

    assertThat(tell(borrower, "restore", STEPS - 1, "restored")).isEqualTo(" 13 lost 0 other 0");
  }

  @RepeatedTest(2)
  void aKilledBorrowerLeavesTheMemoryToItsLender(RepetitionInfo repetition)
      throws IOException, InterruptedException {
    int seed = repetition.getCurrentRepetition();
    int kill = new SplittableRandom(seed).nextInt(1, STEPS - 1);
    ChildProcess borrower = start(0, 4, 0);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);

    borrower.send("store", STEPS - 1);
    for (int step = 0; step < kill; step++) {
      borrower.await("step");
    }
    borrower.kill();

    tell(lender, "lent", 0, "lends");
    tell(lender, "store", 10, "stored");
    assertThat(tell(lender, "restore", 10, "restored"))
        .as("seed %d, killed after %d", seed, kill)
        .isEqualTo(" 10 lost 0 other 0");
  }

  @Test
  void nobodyTakesMemoryFromABorrowerThatIsStopped() throws IOException, InterruptedException {
    ChildProcess borrower = start(0, 4, 100);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);
    tell(borrower, "store", STEPS - 1, "stored");

    borrower.stop();
    assertThat(tell(lender, "large", 0, "large ")).isEqualTo("refused");
    borrower.resume();

    tell(lender, "lent", 0, "lends");
    assertThat(tell(lender, "large", 0, "large ")).isEqualTo("true");
    assertThat(tell(borrower, "restore", STEPS - 1, "restored")).isEqualTo(" 13 lost 0 other 0");
  }

  @Test
  void aLenderThatIsStoppedHoldsNobodyUp() throws IOException, InterruptedException {
    ChildProcess borrower = start(0, 4, 100);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);
    lender.stop();

    tell(borrower, "store", STEPS - 1, "stored");
    assertThat(tell(borrower, "restore", STEPS - 1, "restored")).isEqualTo(" 13 lost 0 other 0");
    tell(borrower, "expect", STEPS - 1, "expects");
    tell(borrower, "store", STEPS - 1, "stored");
    assertThat(tell(borrower, "restore", STEPS - 1, "restored")).isEqualTo(" 13 lost 0 other 0");
  }
}

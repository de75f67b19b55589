package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that lend each other memory, and die, stop and end. */
@Timeout(120)
class MachinePeersProcessTest {
  private static final int STEPS = 14;

  /** Long enough for what answers, and short enough for a process that is stopped. */
  private static final Duration BRIEF = Duration.ofSeconds(2);

  @TempDir Path directory;
  private final List<ChildProcess> children = new ArrayList<>();

  /** Those that were not heard of yet. */
  private final Set<ChildProcess> starting = new HashSet<>();

  @AfterEach
  void end() {
    children.forEach(ChildProcess::close);
  }

  private ChildProcess start(int number, int deviceStates, int fileStates) throws IOException {
    return start(HistoryProcess.command(directory, number, deviceStates, fileStates));
  }

  private ChildProcess start(Command command) throws IOException {
    ChildProcess child = command.start();
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

  private void storeAll(ChildProcess borrower) throws IOException {
    tell(borrower, "store", STEPS - 1, "stored");
  }

  private void assertAllAreGood(ChildProcess borrower) throws IOException {
    assertThat(tell(borrower, "restore", STEPS - 1, "restored")).isEqualTo(" 13 lost 0 other 0");
  }

  @Test
  void aProcessKeepsItsStatesInMemoryOfAnother() throws IOException, InterruptedException {
    ChildProcess borrower = start(0, 4, 0);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);
    storeAll(borrower);
    tell(lender, "store", 1, "stored");

    assertAllAreGood(borrower);
    assertThat(tell(lender, "restore", 1, "restored")).isEqualTo(" 1 lost 0 other 0");

    storeAll(borrower);
    lender.kill();
    tell(borrower, "lose", 0, "lost");

    assertThat(tell(borrower, "restore", STEPS - 1, "restored"))
        .as("states that lay there alone are named")
        .isEqualTo(" 4 lost 9 other 0");
  }

  @Test
  void aKilledLenderTakesNoStateUnnoticed() throws IOException, InterruptedException {
    ChildProcess borrower = start(0, 4, 100);
    for (int seed = 1; seed <= 2; seed++) {
      int kill = new SplittableRandom(seed).nextInt(1, STEPS - 1);
      ChildProcess lender = start(1, 10, 0);
      lendNine(borrower, lender);

      borrower.send("store", STEPS - 1);
      for (int step = 0; step < kill; step++) {
        borrower.await("step");
      }
      lender.kill();
      borrower.await("stored");

      assertThat(tell(borrower, "restore", STEPS - 1, "restored"))
          .as("seed %d, killed after %d", seed, kill)
          .endsWith(" other 0");
    }
    ChildProcess last = start(1, 10, 0);
    lendNine(borrower, last);
    storeAll(borrower);
    tell(borrower, "secure", STEPS - 1, "secured");
    last.kill();
    assertAllAreGood(borrower); // since they were secured
  }

  @Test
  void aLenderThatNeedsItsMemoryOrEndsGetsItBack() throws IOException, InterruptedException {
    ChildProcess borrower = start(0, 4, 100);
    ChildProcess lender = start(1, 10, 0);
    lendNine(borrower, lender);
    storeAll(borrower);

    assertThat(tell(lender, "large", 0, "large ")).isEqualTo("true");
    assertAllAreGood(borrower);

    lendNine(borrower, lender);
    storeAll(borrower);
    lender.endInput();
    assertThat(lender.exitStatus()).isZero();
    assertAllAreGood(borrower);

    ChildProcess next = start(1, 10, 0);
    lendNine(borrower, next);
    storeAll(borrower);
    borrower.endInput();
    tell(next, "lent", 0, "lends");
    next.endInput();
    assertThat(borrower.exitStatus()).isZero();
    assertThat(next.exitStatus()).isZero();
  }

  @Test
  void aKilledBorrowerLeavesTheMemoryToItsLender() throws IOException, InterruptedException {
    ChildProcess lender = start(1, 10, 0);
    for (int seed = 1; seed <= 2; seed++) {
      int kill = new SplittableRandom(seed).nextInt(1, STEPS - 1);
      ChildProcess borrower = start(0, 4, 0);
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
  }

  /** Nobody takes memory from a borrower that is stopped, and a stopped lender holds nobody up. */
  @Test
  void aProcessThatIsStoppedHarmsNobody() throws IOException, InterruptedException {
    ChildProcess borrower = start(HistoryProcess.command(directory, 0, 4, 100, BRIEF));
    ChildProcess lender = start(HistoryProcess.command(directory, 1, 10, 0, BRIEF));
    lendNine(borrower, lender);
    storeAll(borrower);

    borrower.stop();
    assertThat(tell(lender, "large", 0, "large ")).isEqualTo("refused");
    borrower.resume();

    tell(lender, "lent", 0, "lends");
    assertThat(tell(lender, "large", 0, "large ")).isEqualTo("true");
    assertAllAreGood(borrower);

    lendNine(borrower, lender);
    lender.stop();

    storeAll(borrower);
    assertAllAreGood(borrower);
    tell(borrower, "expect", STEPS - 1, "expects");
    storeAll(borrower);
    assertAllAreGood(borrower);
  }
}

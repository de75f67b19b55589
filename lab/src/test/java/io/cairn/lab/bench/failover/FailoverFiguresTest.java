package io.cairn.lab.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.lab.bench.BenchCommand;
import io.cairn.lab.bench.failover.RankEvent.What;
import io.cairn.lab.measure.MeasuredMachine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The figures that follow from the ranks' logs; no process is started. */
class FailoverFiguresTest {
  private static final RankEvent VICTIM = new RankEvent(What.STEP, 7, 1, 41, 900);
  private static final long KILLED = 1000;

  @TempDir Path directory;

  private static List<RankEvent> events(RankEvent... after) {
    List<RankEvent> events =
        new ArrayList<>(List.of(new RankEvent(What.START, 7, 1, -1, 10), VICTIM));
    events.addAll(List.of(after));
    return events;
  }

  @Test
  void aRecoveryEndsWithTheNextIterationOfALaterEpoch() {
    assertThat(
            Failover.of(
                events(
                    new RankEvent(What.START, 8, 2, 41, 1400),
                    new RankEvent(What.STEP, 8, 2, 42, 1500),
                    new RankEvent(What.STEP, 8, 2, 43, 1600)),
                VICTIM,
                KILLED))
        .contains(new Failover(500, 400, 0));
  }

  @Test
  void aRankThatHasOnlyJoinedHasNotGoneOn() {
    assertThat(Failover.of(events(new RankEvent(What.START, 8, 2, 41, 1400)), VICTIM, KILLED))
        .isEmpty();
  }

  /** The victim may report an iteration between the look at its log and the signal. */
  @Test
  void lostIterationsCountFromTheLastOneOfTheVictim() {
    assertThat(
            Failover.of(
                events(
                    new RankEvent(What.STEP, 7, 1, 42, 990),
                    new RankEvent(What.START, 8, 2, 40, 1400),
                    new RankEvent(What.STEP, 8, 2, 41, 1500)),
                VICTIM,
                KILLED))
        .contains(new Failover(500, 400, 2));
  }

  @Test
  void aLogGivesEachWholeLineOnce() {
    RankLog log = new RankLog(directory, "rank-0");
    assertThat(log.events()).isEmpty();

    RankLog.report(directory, "rank-0", VICTIM);
    assertThat(log.events()).containsExactly(VICTIM);
    RankLog.report(directory, "rank-0", VICTIM);
    assertThat(log.events()).containsExactly(VICTIM, VICTIM);
  }

  private static FailoverReport report(long millis, long lost, boolean identical) {
    Kills kills = new Kills();
    kills.add(new Failover(millis * 1_000_000, 1, lost));
    return new FailoverReport(
        "2026-01-01T00:00:00Z",
        new MeasuredMachine("a cpu", 2, 1, "a jdk", "an os", null),
        0,
        new FailoverPlan(2, 1, 0, 50),
        kills.count(),
        kills.recoveryMillis(),
        kills.joinMillis(),
        kills.lost(),
        null,
        null,
        identical,
        null);
  }

  @Test
  void eachFigureThatDoesNotHoldIsNamed() {
    assertThat(report(900, 1, true).problems()).isEmpty();
    assertThat(report(1100, 1, true).problems()).hasSize(1);
    assertThat(report(900, 2, true).problems()).hasSize(1);
    assertThat(report(900, 1, false).problems()).hasSize(1);
  }

  @Test
  void theCommandIsOneOfTheBenchmarksAndRefusesNoKills() {
    CommandLine bench = new CommandLine(new BenchCommand());
    assertThat(bench.getSubcommands()).containsKey("failover");

    BenchFailoverCommand command = new BenchFailoverCommand();
    new CommandLine(command).parseArgs("--kills", "0");
    assertThatThrownBy(command::call).hasMessageContaining("--kills 0");
  }
}

package io.cairn.lab.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.lab.bench.BenchCommand;
import io.cairn.lab.bench.failover.RankEvent.What;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.RankFiles;
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

    new RankFiles(directory, "rank-0").report(VICTIM.line());
    assertThat(log.events()).containsExactly(VICTIM);
    new RankFiles(directory, "rank-0").report(VICTIM.line());
    assertThat(log.events()).containsExactly(VICTIM, VICTIM);
  }

  private static List<String> missed(long millis, long lost, boolean identical) {
    Kills kills = new Kills();
    kills.add(new Failover(millis * 1_000_000, 1, lost));
    BenchReport report = new BenchReport("failover");
    FigureTable.Row row = report.table("kills").row();
    BenchFailoverCommand.judge(report, kills.report(row).add("identical", identical));
    return report.bars().stream().filter(bar -> !bar.met()).map(Bar::name).toList();
  }

  @Test
  void eachFigureThatDoesNotHoldIsNamed() {
    assertThat(missed(900, 1, true)).isEmpty();
    assertThat(missed(1100, 1, true)).containsExactly("recovery, ms, p50");
    assertThat(missed(2100, 1, true)).hasSize(2);
    assertThat(missed(900, 2, true)).containsExactly("iterations that a kill cost");
    assertThat(missed(900, 1, false)).singleElement().asString().contains("digests");
  }

  @Test
  void theCommandIsOneOfTheBenchmarksAndRefusesNoKills() {
    CommandLine bench = new CommandLine(new BenchCommand());
    assertThat(bench.getSubcommands()).containsKey("failover");

    BenchFailoverCommand command = new BenchFailoverCommand();
    new CommandLine(command).parseArgs("--kills", "0");
    assertThatThrownBy(() -> command.measure(new BenchReport("failover")))
        .hasMessageContaining("--kills 0");
  }
}

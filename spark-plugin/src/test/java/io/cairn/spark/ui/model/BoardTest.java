package io.cairn.spark.ui.model;

import static io.cairn.spark.ui.model.MadeUpRounds.BEGIN;
import static io.cairn.spark.ui.model.MadeUpRounds.round;
import static io.cairn.spark.ui.model.MadeUpRounds.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.cairn.Level;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class BoardTest {
  private static final Map<String, String> DEVICE = Map.of("DEVICE", CheckpointRow.SEALED);
  private static final Map<String, String> NODE = Map.of("NODE", CheckpointRow.SEALED);
  private static final Map<String, String> STORE = Map.of("STORE", CheckpointRow.SEALED);

  private final Board board = new Board();

  private void add(CheckpointRow... rows) {
    board.add(round("1", BEGIN, List.of(), List.of(rows)));
  }

  @Test
  void reportsOfOneCheckpointAreOneRow() {
    add(row("a", 0, 7, 1, DEVICE));
    add(row("a", 0, 7, 3, NODE));

    CheckpointRow only = board.view().checkpoints().get(0);

    assertThat(board.view().checkpoints()).hasSize(1);
    assertThat(only.levels().keySet()).containsExactly("DEVICE", "NODE");
    assertThat(only.atMillis()).isEqualTo(BEGIN + 1_000);
    assertThat(only.farthest()).contains(Level.NODE);
  }

  @Test
  void theBoardKeepsTheNewestCheckpointsAndCountsAll() {
    int all = Board.MOST_CHECKPOINTS + 500;
    RankRow counts = new RankRow("a", 0, 1, all, 0, Map.of());
    board.add(round("1", BEGIN, List.of(counts), List.of()));
    for (int i = 0; i < all; i++) {
      add(row("a", 0, i, i, DEVICE));
    }

    BoardView view = board.view();

    assertThat(view.checkpoints()).hasSize(Board.MOST_CHECKPOINTS);
    assertThat(view.checkpoints().get(0).iteration()).isEqualTo(500);
    assertThat(view.unlisted()).isEqualTo(500);
  }

  /** Ranks, processes, restores and alarms without end. */
  @Test
  void theBoardIsBounded() {
    for (int i = 0; i < 2 * Board.MOST_RANKS; i++) {
      AlarmRow alarm = new AlarmRow("kind", "place " + i, 1, i, i, "text", 0);
      RestoreRow restore =
          new RestoreRow(
              i, "p", "g", 0, 1, i, "NODE", "somewhere", 1, List.of(), 0, Double.NaN, "");
      board.add(
          new Round(
              "process " + i,
              BEGIN,
              List.of(new RankRow("group " + i, 0, 1, 1, 1, Map.of())),
              List.of(),
              List.of(restore),
              List.of(alarm),
              null,
              Map.of(),
              List.of(),
              List.of(),
              List.of(),
              null));
    }

    BoardView view = board.view();

    assertThat(view.ranks()).hasSize(Board.MOST_RANKS);
    assertThat(view.processes()).hasSize(Board.MOST_PROCESSES);
    assertThat(view.restores()).hasSize(Board.MOST_OTHERS);
    assertThat(view.restores().get(Board.MOST_OTHERS - 1).iteration())
        .isEqualTo(2 * Board.MOST_RANKS - 1);
    assertThat(view.alarms()).hasSize(Board.MOST_OTHERS);
  }

  @Test
  void workAtRiskIsTheTimeSinceTheCheckpointThatALevelRollsBackTo() {
    add(
        row("a", 0, 10, 10, STORE),
        row("a", 0, 20, 20, NODE),
        row("a", 0, 25, 25, DEVICE),
        row("a", 0, 27, 27, Map.of()));

    RankView rank = board.view().ranks().get(0);

    assertThat(rank.riskSeconds(Level.DEVICE)).isEqualTo(2);
    assertThat(rank.riskSeconds(Level.NODE)).isEqualTo(7);
    assertThat(rank.riskSeconds(Level.PEER)).isEqualTo(17);
    assertThat(rank.riskSeconds(Level.STORE)).isEqualTo(17);
    assertThat(rank.rollback(Level.DEVICE).orElseThrow().iteration()).isEqualTo(25);
  }

  @Test
  void withoutACopyAllWorkSinceTheFirstCheckpointIsAtRisk() {
    add(row("a", 0, 3, 3, DEVICE), row("a", 0, 9, 9, DEVICE));

    RankView rank = board.view().ranks().get(0);

    assertThat(rank.rollback(Level.NODE)).isEmpty();
    assertThat(rank.riskSeconds(Level.NODE)).isEqualTo(6);
  }

  private static CheckpointRow known(
      long epoch, long iteration, int seconds, Map<String, String> at) {
    return new CheckpointRow("a", 0, epoch, iteration, BEGIN + 1_000L * seconds, 1, 1, at);
  }

  /** A round in which rank 0 of group a was restored, and then captured these. */
  private void restored(long epoch, long iteration, int seconds, CheckpointRow... rows) {
    long at = BEGIN + 1_000L * seconds;
    RestoreRow restore =
        new RestoreRow(
            at, "1", "a", 0, epoch, iteration, "NODE", "here", 1, List.of(), 0, Double.NaN, "");
    board.add(
        new Round(
            "1",
            at,
            List.of(),
            List.of(rows),
            List.of(restore),
            List.of(),
            null,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            null));
  }

  private RankView only() {
    return board.view().ranks().get(0);
  }

  @Test
  void aRollBackLeavesTheCheckpointsAfterItBehind() {
    add(known(1, 80, 80, STORE), known(1, 100, 100, NODE), known(1, 200, 200, STORE));
    restored(1, 100, 210);
    assertThat(only().newest()).isEqualTo(new SealView(1, 100, BEGIN + 100_000));
    add(known(2, 101, 220, DEVICE));

    assertThat(only().rollback(Level.STORE)).contains(new SealView(1, 80, BEGIN + 80_000));
    assertThat(only().rollback(Level.NODE)).contains(new SealView(1, 100, BEGIN + 100_000));
    assertThat(only().rollback(Level.DEVICE)).contains(new SealView(2, 101, BEGIN + 220_000));
    assertThat(only().riskSeconds(Level.STORE)).isEqualTo(140);
  }

  /** One round has the checkpoints before the roll-back and those after it. */
  @Test
  void aRoundWithARollBackKeepsWhatCameAfterIt() {
    add(known(1, 100, 100, STORE));
    restored(
        1,
        100,
        210,
        known(1, 200, 200, STORE),
        known(2, 205, 205, STORE),
        known(3, 110, 220, NODE),
        known(3, 111, 221, DEVICE));

    assertThat(only().rollback(Level.STORE)).contains(new SealView(1, 100, BEGIN + 100_000));
    assertThat(only().rollback(Level.NODE)).contains(new SealView(3, 110, BEGIN + 220_000));
    assertThat(only().newest()).isEqualTo(new SealView(3, 111, BEGIN + 221_000));
  }

  @Test
  void lateNewsOfACheckpointThatWasLeftBehindDoesNotCount() {
    add(known(1, 100, 100, NODE), known(1, 200, 200, DEVICE));
    restored(1, 100, 210, known(2, 101, 220, DEVICE));
    restored(2, 101, 230);
    add(known(1, 200, 200, STORE), known(3, 102, 240, DEVICE));

    assertThat(only().rollback(Level.STORE)).isEmpty();
    assertThat(only().rollback(Level.NODE).orElseThrow().iteration()).isEqualTo(100);
  }

  @Test
  void aRollBackOfAnotherRankChangesNothing() {
    add(row("b", 0, 200, 200, STORE), row("a", 1, 200, 200, STORE));
    restored(1, 100, 210);

    assertThat(board.view().ranks()).hasSize(2);
    assertThat(board.view().ranks())
        .allSatisfy(rank -> assertThat(rank.rollback(Level.STORE)).isPresent());
  }

  /** Rounds of one rank come in order, and a checkpoint of a later epoch is newer at any number. */
  @RepeatedTest(20)
  void theNewestSealIsThatOfTheLatestEpoch(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    SealView newest = new SealView(0, 0, 0);
    for (int i = 0; i < 100; i++) {
      long epoch = 1L + random.nextInt(3);
      long iteration = random.nextInt(50);
      SealView each = new SealView(epoch, iteration, BEGIN);
      newest = each.isAfter(newest) ? each : newest;
      add(new CheckpointRow("a", 0, epoch, iteration, BEGIN, 1, 1, STORE));
    }

    assertThat(board.view().ranks().get(0).seals().get("STORE"))
        .as("seed %d", seed)
        .isEqualTo(newest);
  }

  @Test
  void alarmsOfOneKindAndPlaceAreCountedTogether() {
    for (int i = 0; i < 3; i++) {
      AlarmRow alarm = new AlarmRow("failed", "a rank 0", 2, BEGIN + i, BEGIN + i, "text " + i, 0);
      board.add(
          new Round(
              "1",
              BEGIN,
              List.of(),
              List.of(),
              List.of(),
              List.of(alarm),
              null,
              Map.of(),
              List.of(),
              List.of(),
              List.of(),
              null));
    }

    assertThat(board.view().alarms())
        .containsExactly(new AlarmRow("failed", "a rank 0", 6, BEGIN, BEGIN + 2, "text 2", 0));
  }

  private void alarm(String kind, String text, int seconds) {
    long at = BEGIN + 1_000L * seconds;
    AlarmRow alarm = new AlarmRow(kind, "a rank 0", 1, at, at, text, 0);
    board.add(
        new Round(
            "1",
            at,
            List.of(),
            List.of(),
            List.of(),
            List.of(alarm),
            null,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            null));
  }

  /** Somebody on call has to see whether it is over, and how often it came. */
  @Test
  void anAlarmThatComesAgainAfterQuietMinutesIsAnotherIncident() {
    alarm("freshness", "first", 0);
    alarm("freshness", "first, again", 200);
    alarm("freshness", "second", 600);

    assertThat(board.view(BEGIN + 601_000).alarms())
        .extracting(AlarmRow::text, AlarmRow::count, AlarmRow::isOpen)
        .containsExactly(tuple("second", 1L, true), tuple("first, again", 2L, false));
    assertThat(board.view(BEGIN + 601_000).alarms().get(1).overMillis()).isEqualTo(BEGIN + 200_000);
    assertThat(board.view(BEGIN + 901_000).alarms()).noneMatch(AlarmRow::isOpen);
  }

  @Test
  void aSealAtItsLevelEndsAFailure() {
    alarm("failed at STORE", "e1-i5 at STORE: disk full", 10);
    add(known(1, 6, 11, NODE));
    assertThat(board.view(BEGIN + 12_000).alarms()).allMatch(AlarmRow::isOpen);

    add(known(1, 7, 12, STORE));
    assertThat(board.view(BEGIN + 13_000).alarms())
        .singleElement()
        .satisfies(alarm -> assertThat(alarm.isOpen()).isFalse());

    alarm("failed at STORE", "e1-i8 at STORE: disk full", 20);
    assertThat(board.view(BEGIN + 21_000).alarms())
        .extracting(AlarmRow::isOpen)
        .as("the second incident is a row of its own")
        .containsExactly(true, false);
  }

  @Test
  void progressEndsWhatHangs() {
    alarm("hangs", "its capture has lasted 300 s", 10);
    add(known(1, 6, 5, DEVICE));
    assertThat(board.view(BEGIN + 11_000).alarms()).allMatch(AlarmRow::isOpen);
    add(known(1, 7, 12, Map.of()));
    assertThat(board.view(BEGIN + 13_000).alarms()).noneMatch(AlarmRow::isOpen);
  }

  private void runs(String process, int seconds, RunningRow... rows) {
    board.add(
        new Round(
            process,
            BEGIN + 1_000L * seconds,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            null,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(rows)));
  }

  private static RunningRow at(long iteration) {
    return new RunningRow("a", 0, iteration, Map.of());
  }

  @Test
  void aRankRunsUntilItLeavesOrItsProcessIsGone() {
    board.began(0);
    runs("1", 0, at(3), new RunningRow("b", 0, 3, Map.of("STORE", BEGIN)));
    assertThat(only().state()).isEqualTo(RankView.State.RUNS);
    assertThat(board.view().ranks().get(1).waitingSinceMillis()).containsEntry("STORE", BEGIN);
    runs("1", 5, at(3));
    assertThat(board.view().ranks().get(1).state()).isEqualTo(RankView.State.LEFT);
    assertThat(board.view().ranks().get(1).waitingSinceMillis()).isEmpty();
    assertThat(only().progressMillis()).as("at iteration 3 since then").isEqualTo(BEGIN);
    runs("1", 9, at(4));
    assertThat(only().progressMillis()).isEqualTo(BEGIN + 9_000);

    board.gone("1", BEGIN + 12_000, "lost");
    assertThat(only().state()).isEqualTo(RankView.State.PROCESS_GONE);
    assertThat(only().stateMillis()).isEqualTo(BEGIN + 12_000);
    assertThat(board.view().ranks().get(1).state()).isEqualTo(RankView.State.LEFT);

    runs("2", 20, at(4));
    assertThat(only().state()).isEqualTo(RankView.State.RUNS);
    assertThat(only().process()).isEqualTo("2");
  }

  @Test
  void aRoundOfAnExecutorThatWasGivenUpRevivesNoRank() {
    board.began(0);
    runs("1", 0, at(3));
    board.gone("1", BEGIN + 12_000, "no heartbeat");
    runs("1", 130, at(4));

    assertThat(only().state()).isEqualTo(RankView.State.PROCESS_GONE);
  }

  /** A round with a capture of rank 0 of group a. */
  private void captured(String process, int seconds, RunningRow... running) {
    board.add(
        new Round(
            process,
            BEGIN + 1_000L * seconds,
            List.of(new RankRow("a", 0, 1, 1, 1, Map.of())),
            List.of(),
            List.of(),
            List.of(),
            null,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(running)));
  }

  /** The task failed in process 1, and hangs in process 2 before its first iteration. */
  @Test
  void lateRoundsOfAnEarlierAttemptDoNotMoveARunningRank() {
    captured("1", 0, at(3));
    captured("2", 5, at(3));
    captured("1", 6); // delayed

    assertThat(only().state()).isEqualTo(RankView.State.RUNS);
    assertThat(only().process()).isEqualTo("2");
    assertThat(only().captures()).as("all of them count").isEqualTo(3);
  }

  @Test
  void lateCapturesOfAProcessThatIsGoneCountAndMoveNoRank() {
    board.began(0);
    captured("1", 0, at(3));
    board.gone("1", BEGIN + 5_000, "lost");
    captured("1", 6, at(4));

    assertThat(only().state()).isEqualTo(RankView.State.PROCESS_GONE);
    assertThat(only().captures()).isEqualTo(2);
  }

  /** It began and ended between two rounds, so no round says that it runs. */
  @Test
  void aRankThatRanElsewhereAndEndedHasLeft() {
    board.began(0);
    captured("1", 0, at(3));
    board.gone("1", BEGIN + 5_000, "lost");
    captured("2", 9);

    assertThat(only().state()).isEqualTo(RankView.State.LEFT);
    assertThat(only().process()).isEqualTo("2");
    assertThat(only().stateMillis()).isEqualTo(BEGIN + 9_000);
  }

  @Test
  void aJobThatEndsGivesUpItsRanks() {
    board.began(0);
    captured("1", 0, at(3));
    board.gone("1", BEGIN + 5_000, "lost");
    assertThat(only().state()).isEqualTo(RankView.State.PROCESS_GONE);
    board.ended(0, BEGIN + 7_000);

    assertThat(only().state()).isEqualTo(RankView.State.LEFT);
    assertThat(only().stateMillis()).isEqualTo(BEGIN + 7_000);
  }

  /** The job failed, or its executor ended within a second of the rank's end. */
  @Test
  void aProcessThatIsGoneAfterTheJobGivesUpItsRanks() {
    board.began(0);
    captured("1", 0, at(3));
    board.ended(0, BEGIN + 4_000);
    board.gone("1", BEGIN + 5_000, "lost");

    assertThat(only().state()).isEqualTo(RankView.State.LEFT);
  }

  @Test
  void aRankThatTheNextJobBroughtBackRuns() {
    board.began(0);
    captured("1", 0, at(3));
    board.gone("1", BEGIN + 5_000, "lost");
    captured("2", 9, at(4));
    board.ended(0, BEGIN + 10_000);

    assertThat(only().state()).isEqualTo(RankView.State.RUNS);
  }

  @Test
  void aRankThatLeftIsNoStraggler() {
    for (int rank = 0; rank < 4; rank++) {
      double pace = rank == 2 ? 3 : 1;
      add(row("fold-" + rank, 0, 1, pace, DEVICE), row("fold-" + rank, 0, 2, 2 * pace, DEVICE));
    }
    runs("0", 7, new RunningRow("fold-2", 0, 2, Map.of()));
    assertThat(board.view().alarms()).hasSize(1);
    runs("0", 17);

    assertThat(board.view().alarms()).isEmpty();
  }

  @Test
  void aRestoreNamesTheWorkThatIsDoneAgainAndTheNewerCopy() {
    board.started("1", "machine-a");
    runs("1", 0, at(0));
    add(known(1, 100, 100, STORE), known(1, 110, 110, NODE), known(1, 112, 112, DEVICE));
    board.gone("1", BEGIN + 113_000, "lost");
    restored(1, 100, 120);

    RestoreRow row = board.view().restores().get(0);
    assertThat(row.lostIterations()).isEqualTo(12);
    assertThat(row.lostSeconds()).isEqualTo(12.0);
    assertThat(row.newer()).isEqualTo("e1-i110 at NODE of executor 1 on machine-a, which is gone");
  }

  @Test
  void aRestoreOfTheNewestLosesNothing() {
    add(known(1, 100, 100, STORE));
    restored(1, 100, 120);

    assertThat(board.view().restores().get(0).lostIterations()).isZero();
    assertThat(board.view().restores().get(0).newer()).isEmpty();
  }

  @Test
  void aDeadExecutorKeepsItsTimeByCause() {
    board.started("1", "machine");
    board.add(MadeUpRounds.everythingElse());
    long before = board.view().goodputNanos().getOrDefault("training", 0L);
    board.gone("0", BEGIN, "killed");

    ProcessView gone =
        board.view().processes().stream().filter(ProcessView::isGone).findFirst().orElseThrow();

    assertThat(gone.goneReason()).isEqualTo("killed");
    assertThat(board.view().goodputNanos()).containsEntry("training", before);
    assertThat(before).isPositive();
  }

  @Test
  void aRankThatItsGroupWaitsForIsAStraggler() {
    captures(0, 3, 5, 0);
    captures(0, 1, 6, 30);
    captures(2, 3, 6, 31);
    assertThat(board.view().alarms()).as("the round of rank 1 may be on its way").isEmpty();
    captures(0, 1, 7, 52);

    assertThat(board.view().alarms())
        .singleElement()
        .satisfies(
            alarm -> {
              assertThat(alarm.kind()).isEqualTo("straggler");
              assertThat(alarm.place()).isEqualTo("g rank 1");
            });
  }

  /** Ranks of a group of three have captured an iteration, and reported it at once. */
  private void captures(int from, int to, long iteration, int seconds) {
    captures(from, to, 3, iteration, seconds);
  }

  private void captures(int from, int to, int size, long iteration, int seconds) {
    for (int rank = from; rank < to; rank++) {
      RankRow counts = new RankRow("g", rank, size, 1, 0, Map.of());
      board.add(
          round(
              "p" + rank,
              BEGIN + 1_000L * seconds,
              List.of(counts),
              List.of(row("g", rank, iteration, seconds, DEVICE))));
    }
  }

  /** Rounds come every ten seconds, each process at its own time. */
  @Test
  void aRankWhoseRoundComesLaterIsNoStraggler() {
    for (int period = 0; period < 5; period++) {
      captures(0, 2, period, 30 * period);
      assertThat(board.view().alarms()).isEmpty();
      captures(2, 3, period, 30 * period + 9);
      assertThat(board.view().alarms()).isEmpty();
    }
  }

  @Test
  void ranksThatASmallerGroupLeftOutAreNoStragglers() {
    captures(0, 3, 5, 0);
    for (int i = 6; i < 12; i++) {
      captures(0, 2, 2, i, 20 * i);
    }
    assertThat(board.view().alarms()).isEmpty();
    assertThat(board.view().ranks().get(0).size()).isEqualTo(2);
  }

  @Test
  void restoresAndLostExecutorsAreCountedBeyondTheLists() {
    for (int i = 0; i < 2 * Board.MOST_PROCESSES; i++) {
      board.started("p" + i, "m");
      board.gone("p" + i, BEGIN, "idle");
      board.gone("p" + i, BEGIN, "told again");
    }
    board.started("alive", "m");
    for (int i = 0; i < Board.MOST_PROCESSES; i++) {
      board.started("q" + i, "m");
      board.gone("q" + i, BEGIN, "idle");
    }
    assertThat(board.view().gone()).isEqualTo(3L * Board.MOST_PROCESSES);
    assertThat(board.view().processes()).extracting(ProcessView::process).contains("alive");
    RestoreRow restore =
        new RestoreRow(1, "p", "g", 0, 1, 1, "NODE", "here", 1, List.of(), 0, Double.NaN, "");
    for (int i = 0; i < 600; i++) {
      board.add(
          new Round(
              "p",
              BEGIN,
              List.of(),
              List.of(),
              List.of(restore),
              List.of(),
              null,
              Map.of(),
              List.of(),
              List.of(),
              List.of(),
              null));
    }
    assertThat(board.view().restored()).isEqualTo(600);
  }

  @Test
  void anIndependentRankThatTakesTwiceTheMedianIsAStraggler() {
    for (int rank = 0; rank < 4; rank++) {
      double pace = rank == 2 ? 3 : 1;
      add(row("fold-" + rank, 0, 1, pace, DEVICE), row("fold-" + rank, 0, 2, 2 * pace, DEVICE));
    }

    assertThat(board.view().alarms()).extracting(AlarmRow::place).containsExactly("fold-2 rank 0");
  }
}

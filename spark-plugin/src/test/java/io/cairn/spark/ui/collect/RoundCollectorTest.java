package io.cairn.spark.ui.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.engine.runtime.RunningRank;
import io.cairn.spark.ui.PageJson;
import io.cairn.spark.ui.Report;
import io.cairn.spark.ui.model.AlarmRow;
import io.cairn.spark.ui.model.Board;
import io.cairn.spark.ui.model.CacheRow;
import io.cairn.spark.ui.model.PatternRow;
import io.cairn.spark.ui.model.RankView;
import io.cairn.spark.ui.model.Round;
import io.cairn.spark.ui.model.RunningRow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class RoundCollectorTest {
  /** Measured for a full round of one rank whose every level fails with a long reason. */
  private static final int BYTES_PER_RANK = 5_200;

  private static final Figures NONE =
      new Figures(Optional::empty, Map::of, List::of, Optional::empty, List::of);

  private final GroupId group = new GroupId("job", "alone");
  private final Member member = new Member(group, 0, 1);
  private long nowMillis = 1_000;
  private final RoundCollector collector = new RoundCollector("7", () -> nowMillis);

  private CheckpointId id(long iteration) {
    return new CheckpointId(group, 1, iteration);
  }

  private void captured(long iteration) {
    collector.accept(new CairnEvent.Captured(id(iteration), member, 100, 5));
  }

  private void settled(long iteration, Level level, Outcome outcome) {
    collector.accept(new CairnEvent.Settled(id(iteration), member, level, outcome));
  }

  private Round take() {
    return collector.take(NONE).orElseThrow();
  }

  @Test
  void withoutNewsThereIsNoRound() {
    assertThat(collector.take(NONE)).isEmpty();
    captured(1);
    assertThat(collector.take(NONE)).isPresent();
    assertThat(collector.take(NONE)).isEmpty();
  }

  @Test
  void aCheckpointKeepsTheTimeOfItsCaptureOverRounds() {
    captured(4);
    Round first = take();
    nowMillis = 9_000;
    settled(4, Level.STORE, new Outcome.Sealed(Level.STORE));
    Round second = take();

    assertThat(first.checkpoints().get(0).atMillis()).isEqualTo(1_000);
    assertThat(second.checkpoints().get(0).atMillis()).isEqualTo(1_000);
    assertThat(second.checkpoints().get(0).levels()).containsExactly(Map.entry("STORE", "sealed"));
    assertThat(second.ranks().get(0).captures()).isZero();
  }

  @Test
  void levelsThatWereNotDueAreNotMentioned() {
    captured(1);
    settled(1, Level.NODE, new Outcome.NotDue(Level.NODE));

    Round round = take();

    assertThat(round.checkpoints().get(0).levels()).isEmpty();
    assertThat(round.ranks().get(0).outcomes()).isEmpty();
  }

  /** However many checkpoints there were, the board's counts and newest seals are right. */
  @RepeatedTest(20)
  void aRoundIsBoundedAndLosesNoCountAndNoNewestSeal(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    Board board = new Board();
    Map<String, Long> newest = new TreeMap<>();
    long captures = 0;
    for (int rounds = 0; rounds < 5; rounds++) {
      int iterations = 1 + random.nextInt(500);
      for (int i = 0; i < iterations; i++) {
        captured(captures);
        for (Level level : Level.values()) {
          if (random.nextInt(3) > 0) {
            settled(captures, level, new Outcome.Sealed(level));
            newest.put(level.name(), captures);
          } else {
            settled(captures, level, new Outcome.Failed("out of space ".repeat(40)));
          }
        }
        captures++;
      }
      Round round = take();
      assertThat(round.checkpoints()).as("seed %d", seed).hasSizeLessThanOrEqualTo(8);
      ByteBuffer bytes = PageJson.encode(new Report(null, round));
      assertThat(bytes.remaining()).as("seed %d", seed).isLessThan(BYTES_PER_RANK);
      board.add(Objects.requireNonNull(PageJson.decodeReport(bytes).round()));
    }

    RankView rank = board.view().ranks().get(0);
    assertThat(rank.captures()).as("seed %d", seed).isEqualTo(captures);
    Map<String, Long> shown = new TreeMap<>();
    rank.seals().forEach((level, seal) -> shown.put(level, seal.iteration()));
    assertThat(shown).as("seed %d", seed).isEqualTo(newest);
  }

  @Test
  void moreRanksThanARoundTakesAreLeftOut() {
    for (int rank = 0; rank < 2 * Round.MOST_RANKS; rank++) {
      GroupId each = new GroupId("job", "trial-" + rank);
      collector.accept(
          new CairnEvent.Captured(new CheckpointId(each, 1, 1), new Member(each, 0, 1), 1, 1));
    }

    assertThat(take().ranks()).hasSize(Round.MOST_RANKS);
  }

  @Test
  void troubleIsAnAlarm() {
    settled(1, Level.STORE, new Outcome.Failed("disk full"));
    settled(2, Level.STORE, new Outcome.Failed("disk still full"));
    settled(3, Level.NODE, new Outcome.Skipped("NODE is slow"));
    collector.accept(new CairnEvent.Stale(id(3), member, Set.of("weights")));
    collector.accept(new CairnEvent.Quarantined(id(3), member, Level.NODE, "f", "bad bytes"));
    collector.accept(new CairnEvent.Withdrawn(id(3), member, "a lender is gone"));
    collector.accept(new CairnEvent.FellBack(id(3), member, "no lender"));
    settled(4, Level.NODE, new Outcome.Sealed(Level.NODE));

    List<AlarmRow> alarms = take().alarms();

    assertThat(alarms)
        .extracting(AlarmRow::kind)
        .containsExactly(
            "failed at STORE", "overload", "freshness", "quarantine", "lost at DEVICE");
    assertThat(alarms.get(0).count()).isEqualTo(2);
    assertThat(alarms.get(0).text()).isEqualTo("e1-i2 at STORE: disk still full");
    assertThat(alarms).extracting(AlarmRow::place).containsOnly("alone rank 0");
  }

  @Test
  void aRestoreComesWithItsReport() {
    RestoreReport report =
        new RestoreReport(
            id(25),
            Level.NODE,
            "the node",
            77,
            List.of(
                new RestoreReport.Attempt(id(25), Level.DEVICE, "gone"),
                new RestoreReport.Attempt(id(25), Level.NODE, "")));
    collector.accept(new CairnEvent.Restored(member, report));

    assertThat(take().restores())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.process()).isEqualTo("7");
              assertThat(row.level()).isEqualTo("NODE");
              assertThat(row.attempts())
                  .containsExactly("e1-i25 at DEVICE: refused, gone", "e1-i25 at NODE: used");
            });
  }

  @Test
  void figuresAreSentWhenTheyChange() {
    CacheRow cache = new CacheRow(1, 2, 3, 4, 5);
    Figures same =
        new Figures(
            () -> Optional.of(cache),
            () -> Map.of("training", 1L),
            List::of,
            Optional::empty,
            List::of);

    Round first = collector.take(same).orElseThrow();

    assertThat(first.cache()).isEqualTo(cache);
    assertThat(first.goodputNanos()).containsEntry("training", 1L);
    assertThat(collector.take(same)).isEmpty();
  }

  private Optional<Round> running(long iteration, long waitingMillis) {
    RunningRank rank =
        new RunningRank(member, iteration, Map.of(Level.STORE, 1_000_000L * waitingMillis));
    return collector.take(
        new Figures(Optional::empty, Map::of, List::of, Optional::empty, () -> List.of(rank)));
  }

  /** A rank that hangs makes no news, and the log keeps every round. */
  @Test
  void whatRunsIsSentWhenItChanges() {
    nowMillis = 10_000;
    List<RunningRow> first = Objects.requireNonNull(running(5, 3_000).orElseThrow().running());
    assertThat(first).containsExactly(new RunningRow("alone", 0, 5, Map.of("STORE", 7_000L)));
    nowMillis = 70_000;
    assertThat(running(5, 63_001)).as("it waits since then").isEmpty();
    assertThat(running(6, 63_001)).isPresent();
    assertThat(running(6, 1)).as("a later one waits").isPresent();

    List<RunningRow> none = collector.take(NONE).orElseThrow().running();
    assertThat(none).as("it has left").isEmpty();
  }

  /** The driver did not take a round, so the board has what was before it. */
  @Test
  void afterALossTheNextRoundHasTheWholeState() {
    CacheRow cache = new CacheRow(1, 2, 3, 4, 5);
    PatternRow pattern = new PatternRow("g", 1, Map.of(), Map.of(), Map.of(), 0.1, 0.1);
    RunningRank rank = new RunningRank(member, 5, Map.of());
    Figures figures =
        new Figures(
            () -> Optional.of(cache),
            () -> Map.of("training", 1L),
            () -> List.of(pattern),
            Optional::empty,
            () -> List.of(rank));
    Round first = collector.take(figures).orElseThrow();
    assertThat(collector.take(figures)).isEmpty();

    collector.lost();

    Round again = collector.take(figures).orElseThrow();
    assertThat(again.cache()).isEqualTo(cache);
    assertThat(again.goodputNanos()).isEqualTo(Map.of("training", 1L));
    assertThat(again.patterns()).containsExactly(pattern);
    assertThat(again.running()).isEqualTo(first.running()).hasSize(1);
    assertThat(collector.take(figures)).isEmpty();
  }

  @Test
  void afterALossTheNextRoundSaysThatNobodyRuns() {
    assertThat(running(5, 1)).isPresent();
    assertThat(collector.take(NONE).orElseThrow().running()).isEmpty();

    collector.lost();

    assertThat(collector.take(NONE).orElseThrow().running()).isEmpty();
    assertThat(collector.take(NONE)).isEmpty();
  }

  @Test
  void iterationsThatAreNotCapturedAreCounted() {
    settled(1, Level.DEVICE, new Outcome.NotDue(Level.DEVICE));

    assertThat(take().ranks().get(0).outcomes()).containsEntry(RankView.NOT_CAPTURED, 1L);
  }

  private List<Double> sentWaste(double... achieved) {
    List<Double> sent = new ArrayList<>();
    for (double waste : achieved) {
      PatternRow row = new PatternRow("g", 1, Map.of(), Map.of(), Map.of(), Double.NaN, waste);
      Figures figures =
          new Figures(Optional::empty, Map::of, () -> List.of(row), Optional::empty, List::of);
      collector
          .take(figures)
          .ifPresent(round -> round.patterns().forEach(each -> sent.add(each.achieved())));
    }
    return sent;
  }

  /** A mean over a long run changes little from one round to the next. */
  @Test
  void aWasteThatCreepsIsSentWhenThePageIsWrong() {
    assertThat(sentWaste(0.1, 0.1009, 0.1018, 0.1019)).containsExactly(0.1, 0.1018);
  }

  @Test
  void aWasteThatBecomesKnownIsSent() {
    assertThat(sentWaste(Double.NaN, Double.NaN, 0.05)).containsExactly(Double.NaN, 0.05);
  }

  /** A log or a peer may send anything. */
  @RepeatedTest(50)
  void damagedRoundsAreRefusedOrClipped(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    captured(1);
    settled(1, Level.NODE, new Outcome.Failed("x".repeat(10_000)));
    ByteBuffer bytes = PageJson.encode(new Report(null, take()));
    for (int flips = 0; flips < 3; flips++) {
      bytes.put(random.nextInt(bytes.limit()), (byte) random.nextInt(128));
    }
    try {
      Board board = new Board();
      Round round = PageJson.decodeReport(bytes).round();
      if (round != null) {
        board.add(round);
      }
      assertThat(board.view().checkpoints()).hasSizeLessThanOrEqualTo(1);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).as("seed %d", seed).hasMessageContaining("not a report");
    }
  }

  @Test
  void partsThatAreMissingAreEmptyAndUnknownOnesIgnored() {
    ByteBuffer bytes =
        StandardCharsets.UTF_8.encode(
            "{\"round\":{\"process\":\"1\",\"new\":{},\"checkpoints\":[null,{\"group\":\"a\"}]}}");

    Round round = Objects.requireNonNull(PageJson.decodeReport(bytes).round());

    assertThat(round.alarms()).isEmpty();
    assertThat(round.checkpoints()).hasSize(1);
    assertThat(round.checkpoints().get(0).levels()).isEmpty();
    assertThat(round.checkpoints().get(0).farthest()).isEmpty();
  }

  @Test
  void somethingElseOrTooLongIsNoReport() {
    assertThatThrownBy(() -> PageJson.decodeReport(StandardCharsets.UTF_8.encode("[1]")))
        .isInstanceOf(IllegalArgumentException.class);
    ByteBuffer huge = StandardCharsets.UTF_8.encode("{" + " ".repeat(1 << 21) + "}");
    assertThatThrownBy(() -> PageJson.decodeReport(huge))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most");
  }
}

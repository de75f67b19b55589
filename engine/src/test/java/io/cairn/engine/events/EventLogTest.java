package io.cairn.engine.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventLogTest {
  private static final Member MEMBER = new Member(new GroupId("digits", "fold-0"), 0, 1);
  private static final Outcome SKIPPED = new Outcome.Skipped("no room");

  private long nowNanos;
  private final EventLog log = new EventLog(() -> nowNanos);

  private List<String> lines(long iteration, Outcome outcome) {
    List<String> lines = new ArrayList<>();
    for (Level level : Level.values()) {
      CheckpointId id = new CheckpointId(MEMBER.group(), 3, iteration);
      log.line(new CairnEvent.Settled(id, MEMBER, level, outcome)).ifPresent(lines::add);
    }
    return lines;
  }

  @Test
  void aSkippedIterationIsOneLineForAllItsLevels() {
    assertThat(lines(7, SKIPPED))
        .singleElement()
        .asString()
        .contains("digits/fold-0")
        .contains("skipped: no room");
  }

  /** An hour of a fenced rank that computes an iteration every tenth of a second. */
  @Test
  void aConditionThatLastsIsWrittenLessAndLessOften() {
    List<String> lines = new ArrayList<>();

    for (long iteration = 0; iteration < 36_000; iteration++) {
      lines.addAll(lines(iteration, new Outcome.Fenced("a later attempt joined")));
      nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
    }

    assertThat(lines).hasSizeBetween(8, 14);
    assertThat(lines.get(1)).contains("(and 99 more since the last such line)");
  }

  @Test
  void aConditionThatReturnsAfterLongIsWrittenAtOnce() {
    lines(1, SKIPPED);
    lines(2, SKIPPED);
    nowNanos += TimeUnit.HOURS.toNanos(1);

    assertThat(lines(3, SKIPPED)).hasSize(1);
  }

  @Test
  void aCacheThatShrinksIsALine() {
    assertThat(log.line(new CairnEvent.CacheShrank(700, 3, 10)))
        .get()
        .asString()
        .contains("700 bytes", "3 slots", "only 10 bytes free", "device.reserve");
  }

  @Test
  void aFallBackAndItsEndAreALineEach() {
    CheckpointId id = new CheckpointId(MEMBER.group(), 3, 2);

    assertThat(log.line(new CairnEvent.FellBack(id, MEMBER, "nobody lends")))
        .get()
        .asString()
        .contains("falls back")
        .contains("nobody lends");
    assertThat(log.line(new CairnEvent.HasRoomAgain(id, MEMBER)))
        .get()
        .asString()
        .contains("has room at DEVICE again");
  }

  @Test
  void aNameThatARankDoesNotProtectIsALine() {
    assertThat(log.line(new CairnEvent.UnknownRegions(MEMBER, Set.of("wieghts", "bais"))))
        .get()
        .asString()
        .contains("digits/fold-0")
        .contains("protects no region bais, wieghts, which region.codec or region.loss names");
  }

  @Test
  void oneConditionHidesNoOther() {
    lines(1, SKIPPED);

    assertThat(lines(2, new Outcome.Failed("disk full"))).hasSize(1);
    assertThat(lines(2, new Outcome.Sealed(Level.NODE))).isEmpty();
    CheckpointId id = new CheckpointId(MEMBER.group(), 3, 2);
    assertThat(log.line(new CairnEvent.Withdrawn(id, MEMBER, "its lender died")))
        .get()
        .asString()
        .contains("withdrawn: its lender died");
  }
}

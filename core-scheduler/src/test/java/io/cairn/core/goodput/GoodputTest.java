package io.cairn.core.goodput;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class GoodputTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN_MILLIS = 1_700_000_000_000L;

  private long now = 5;

  private Goodput arrive(boolean coupled, long startedSeconds, Optional<GoodputRecord> sign) {
    return new Goodput(now, millis(), BEGIN_MILLIS + 1000 * startedSeconds, coupled, sign);
  }

  private long millis() {
    return BEGIN_MILLIS + now / 1_000_000;
  }

  private long after(double seconds) {
    now += Math.round(seconds * SECOND);
    return now;
  }

  private GoodputRecord record(Goodput goodput) {
    return goodput.record(now, millis());
  }

  private static double seconds(GoodputRecord record, Cause cause) {
    return record.total().of(cause) / (double) SECOND;
  }

  private Goodput fresh() {
    Goodput goodput = arrive(false, 0, Optional.empty());
    goodput.joined(after(1), 1);
    goodput.restoring(after(2));
    goodput.resumed(after(3), 0, -1, Optional.empty());
    return goodput;
  }

  private void compute(Goodput goodput, long from, long to, double seconds, double stall) {
    for (long iteration = from; iteration <= to; iteration++) {
      goodput.computed(after(seconds), iteration, false);
      goodput.stalled(after(stall));
    }
  }

  @Test
  void everySecondHasOneCause() {
    Goodput goodput = fresh();
    goodput.computed(after(10), 0, false);
    goodput.stalled(after(0.5));
    compute(goodput, 1, 9, 4, 0.5);

    GoodputRecord record = record(goodput);

    assertThat(seconds(record, Cause.RESTART)).isEqualTo(1);
    assertThat(seconds(record, Cause.WARM_UP)).isEqualTo(2 + 6);
    assertThat(seconds(record, Cause.RESTORE)).isEqualTo(3);
    assertThat(seconds(record, Cause.TRAINING)).isEqualTo(40);
    assertThat(seconds(record, Cause.STALL)).isEqualTo(5);
    assertThat(record.total().total()).isEqualTo(now - 5);
    assertThat(record.furthest()).isEqualTo(9);
    assertThat(record.total().ettr()).isEqualTo(40 / 57.0);
  }

  @Test
  void slowDownsAreWhatIterationsTakeLongerDuringAFlush() {
    Goodput goodput = fresh();
    compute(goodput, 0, 9, 2, 0);

    goodput.computed(after(3), 10, true);
    goodput.computed(after(2.5), 11, true);

    assertThat(seconds(record(goodput), Cause.FLUSH)).isEqualTo(1.5);
    assertThat(seconds(record(goodput), Cause.TRAINING)).isEqualTo(24);
  }

  @Test
  void iterationsThatAreFasterByChanceAreNoSlowDown() {
    Goodput goodput = fresh();
    compute(goodput, 0, 9, 2, 0);

    goodput.computed(after(1.5), 10, true);

    assertThat(seconds(record(goodput), Cause.FLUSH)).isZero();
    assertThat(seconds(record(goodput), Cause.TRAINING)).isEqualTo(21.5);
  }

  @Test
  void aWaitInTheMiddleOfAnIterationIsAStall() {
    Goodput goodput = fresh();
    compute(goodput, 0, 3, 2, 0);

    after(2.25);
    goodput.waited(SECOND / 4);
    goodput.computed(now, 4, false);

    assertThat(seconds(record(goodput), Cause.STALL)).isEqualTo(0.25);
    assertThat(seconds(record(goodput), Cause.TRAINING)).isEqualTo(10);
  }

  @Test
  void aSignOfLifeShowsWhatIsRedone() {
    Goodput first = fresh();
    compute(first, 0, 9, 2, 0);
    GoodputRecord sign = record(first);

    long died = now / SECOND;
    after(30);
    Goodput second = arrive(false, died + 20, Optional.of(sign));
    second.joined(after(1), 2);
    second.restoring(after(1));
    second.resumed(after(1), 0, 5, Optional.empty());
    compute(second, 6, 12, 2, 0);

    GoodputRecord record = record(second);
    assertThat(seconds(record, Cause.DETECTION)).isEqualTo(20);
    assertThat(seconds(record, Cause.RESTART)).isEqualTo(1 + 10 + 1);
    assertThat(seconds(record, Cause.REDONE)).isEqualTo(8);
    assertThat(seconds(record, Cause.TRAINING)).isEqualTo(26);
    assertThat(record.total().total()).isEqualTo(now - 5);
    assertThat(record.epochs()).containsOnlyKeys(1L, 2L);
    assertThat(record.epochs().get(1L)).isEqualTo(sign.epochs().get(1L));
  }

  @Test
  void theGapBehindAManifestIsUnknown() {
    Goodput first = fresh();
    compute(first, 0, 9, 2, 0);
    GoodputRecord manifest = record(first);
    compute(first, 10, 14, 2, 0);

    long died = now / SECOND;
    after(30);
    Goodput second = arrive(false, died + 20, Optional.empty());
    second.joined(after(1), 2);
    second.restoring(now);
    second.resumed(now, 0, 9, Optional.of(manifest));

    assertThat(seconds(record(second), Cause.UNKNOWN)).isEqualTo(10 + 20);
    assertThat(seconds(record(second), Cause.DETECTION)).isZero();
    assertThat(record(second).total().total()).isEqualTo(now - 5);
  }

  @Test
  void behindAManifestDetectionIsTakenToBeAsLongAsUsual() {
    Goodput first = fresh();
    compute(first, 0, 9, 2, 0);
    GoodputRecord sign = record(first);
    after(4);
    Goodput second = arrive(false, now / SECOND, Optional.of(sign));
    second.joined(now, 2);
    second.restoring(now);
    second.resumed(now, 0, 9, Optional.empty());
    compute(second, 10, 12, 2, 0);
    GoodputRecord manifest = record(second);
    compute(second, 13, 15, 2, 0);

    after(5);
    Goodput third = arrive(false, now / SECOND, Optional.empty());
    third.joined(now, 3);
    third.restoring(now);
    third.resumed(now, 0, 12, Optional.of(manifest));

    CauseTimes times = requireNonNull(record(third).epochs().get(3L));
    assertThat(times.of(Cause.DETECTION)).isEqualTo(4 * SECOND);
    assertThat(times.of(Cause.REDONE)).isEqualTo(7 * SECOND);
    assertThat(times.of(Cause.UNKNOWN)).isZero();
  }

  @Test
  void theNewerOfTwoRecordsCounts() {
    Goodput first = fresh();
    compute(first, 0, 9, 2, 0);
    GoodputRecord old = record(first);
    compute(first, 10, 14, 2, 0);
    GoodputRecord newer = record(first);

    Goodput moved = arrive(false, 0, Optional.of(old));
    moved.joined(now, 2);
    moved.restoring(now);
    moved.resumed(now, 0, 12, Optional.of(newer));
    compute(moved, 13, 15, 2, 0);

    assertThat(seconds(record(moved), Cause.REDONE)).isEqualTo(4);
    assertThat(seconds(record(moved), Cause.TRAINING)).isEqualTo(32);
  }

  @Test
  void aRollbackInOneProcessLosesTheIterationThatFailed() {
    Goodput goodput = fresh();
    compute(goodput, 0, 9, 2, 0);

    goodput.restoring(after(1.5));
    goodput.joined(now, 2);
    goodput.resumed(after(1), 0, 7, Optional.empty());
    compute(goodput, 8, 10, 2, 0);

    assertThat(seconds(record(goodput), Cause.DETECTION)).isEqualTo(1.5);
    assertThat(seconds(record(goodput), Cause.REDONE)).isEqualTo(4);
    assertThat(seconds(record(goodput), Cause.TRAINING)).isEqualTo(22);
  }

  @Test
  void ranksOfAGroupWaitForOthers() {
    Goodput goodput = arrive(true, 0, Optional.empty());
    goodput.joined(after(7), 1);
    goodput.restoring(now);
    goodput.resumed(after(5), 3 * SECOND, -1, Optional.empty());

    assertThat(seconds(record(goodput), Cause.WAITING)).isEqualTo(10);
    assertThat(seconds(record(goodput), Cause.RESTORE)).isEqualTo(2);
  }

  @Test
  void theTimeAfterATrainingThatEndedIsNotTheJobs() {
    Goodput first = fresh();
    compute(first, 0, 9, 2, 0);
    first.ended();
    GoodputRecord ended = record(first);

    after(86_400);
    Goodput second = arrive(false, now / SECOND, Optional.of(ended));
    second.joined(now, 2);
    second.restoring(now);
    second.resumed(now, 0, 9, Optional.empty());

    assertThat(record(second).total()).isEqualTo(ended.total());
  }

  @Test
  void firstIterationsOfAnIncarnationWarmUp() {
    Goodput first = fresh();
    compute(first, 0, 9, 2, 0);

    Goodput second = arrive(false, now / SECOND, Optional.of(record(first)));
    second.joined(now, 2);
    second.restoring(now);
    second.resumed(now, 0, 9, Optional.empty());
    double before = seconds(record(second), Cause.WARM_UP);
    second.computed(after(6), 10, false);
    second.computed(after(3), 11, false);
    second.computed(after(2), 12, false);
    second.computed(after(3), 13, false);

    assertThat(seconds(record(second), Cause.WARM_UP) - before).isEqualTo(4 + 1);
    assertThat(seconds(record(second), Cause.TRAINING)).isEqualTo(20 + 2 + 2 + 2 + 3);
  }

  @Test
  void aClockThatIsBehindMakesNoGap() {
    Goodput first = fresh();
    compute(first, 0, 9, 2, 0);
    GoodputRecord sign = record(first);

    Goodput second =
        new Goodput(
            now, sign.asOfMillis() - 5_000, sign.asOfMillis() - 6_000, false, Optional.of(sign));
    second.joined(now, 2);
    second.restoring(now);
    second.resumed(now, 0, 9, Optional.empty());

    assertThat(record(second).total()).isEqualTo(sign.total());
  }
}

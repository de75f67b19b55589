package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.engine.events.Observers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** A rank that looks for room, in virtual time. */
class FallBackTest {
  private static final GroupId GROUP = new GroupId("job", "group");
  private static final Member MEMBER = new Member(GROUP, 0, 1);
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1000 * MILLI;

  /** The longest wait for a plan and for lenders, with the default patience. */
  private static final long LONGEST_TRY = 2 * 16 * SECOND;

  private final List<CairnEvent> events = new ArrayList<>();
  private final FallBack fallBack;
  private long nowNanos = 7;

  FallBackTest() {
    Observers observers = new Observers();
    observers.add(events::add);
    fallBack = new FallBack(MEMBER, observers, () -> nowNanos);
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(GROUP, 1, iteration);
  }

  private void miss(long iteration, long nanos) {
    long began = nowNanos;
    nowNanos += nanos;
    fallBack.missed(id(iteration), began, "nobody lends");
  }

  @Test
  void theThirdMissInARowEndsIt() {
    miss(0, SECOND);
    miss(1, SECOND);

    assertThat(fallBack.isFallen()).isFalse();
    assertThat(fallBack.mayTry()).isTrue();

    miss(2, SECOND);

    assertThat(fallBack.isFallen()).isTrue();
    assertThat(fallBack.mayTry()).isFalse();
    assertThat(events).containsExactly(new CairnEvent.FellBack(id(2), MEMBER, "nobody lends"));
  }

  @Test
  void missesThatAreNotInARowDoNotCount() {
    miss(0, SECOND);
    miss(1, SECOND);
    fallBack.captured(id(2));
    miss(3, SECOND);
    miss(4, SECOND);

    assertThat(fallBack.isFallen()).isFalse();
    assertThat(events).isEmpty();
  }

  @Test
  void theFirstCaptureAtDeviceEndsTheFallBackAndIsReportedOnce() {
    for (long iteration = 0; iteration < 5; iteration++) {
      miss(iteration, SECOND);
    }

    fallBack.captured(id(5));
    fallBack.captured(id(6));

    assertThat(fallBack.isFallen()).isFalse();
    assertThat(events)
        .containsExactly(
            new CairnEvent.FellBack(id(2), MEMBER, "nobody lends"),
            new CairnEvent.HasRoomAgain(id(5), MEMBER));
  }

  /** A peer that stays absent; iterations of 1 ms to 10 s, and tries that last as long as any. */
  @RepeatedTest(200)
  void anAbsentPeerTakesASixteenthOfTheTimeAtMost(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition() * 0x9E3779B97F4A7C15L);
    long work = (long) (MILLI * Math.exp(random.nextDouble() * Math.log(10_000)));
    long begin = nowNanos;
    long lost = 0;
    long tries = 0;

    for (long iteration = 0; nowNanos - begin < 3600 * SECOND; iteration++) {
      nowNanos += work;
      if (fallBack.mayTry()) {
        long took = (long) (random.nextDouble() * LONGEST_TRY);
        miss(iteration, took);
        lost += took;
        tries++;
      }
    }

    assertThat(lost)
        .as("seed %d, iterations of %d ms", repetition.getCurrentRepetition(), work / MILLI)
        .isLessThanOrEqualTo((nowNanos - begin) / 16 + 3 * LONGEST_TRY);
    assertThat(tries).as("it never stops trying").isGreaterThan(5);
  }
}

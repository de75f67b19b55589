package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.model.RegionImage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Two regions of one chunk, whose checksums are functions of the iteration. */
class FreshnessAlarmTest {
  private static final Member MEMBER = new Member(new GroupId("job", "run"), 0, 1);

  private final FreshnessAlarm alarm = new FreshnessAlarm(MEMBER);

  private static RegionImage image(String name, long checksum) {
    return new RegionImage(name, 8, 8, new int[] {(int) checksum});
  }

  private List<String> alarms(long iterations, LongUnaryOperator u, LongUnaryOperator v) {
    alarm.watch("u");
    alarm.watch("v");
    List<String> alarms = new ArrayList<>();
    for (long i = 0; i < iterations; i++) {
      CheckpointId id = new CheckpointId(MEMBER.group(), 1, i);
      List<RegionImage> images =
          List.of(image("u", u.applyAsLong(i)), image("v", v.applyAsLong(i)));
      for (String region : alarm.check(id, images)) {
        alarms.add(region + i);
      }
    }
    return alarms;
  }

  @Test
  void regionsThatChangeRaiseNone() {
    assertThat(alarms(100, i -> i, i -> -i)).isEmpty();
  }

  /** Its memory is written at each second iteration. */
  @Test
  void aRegionThatIsSwappedIsNoticedBesideOneThatChanges() {
    assertThat(alarms(20, i -> i / 2, i -> i)).containsExactly("u3", "u7", "u15");
  }

  @Test
  void aRegionThatIsTrainedNoLongerIsNoticedEverLessOften() {
    assertThat(alarms(30, i -> Math.min(i, 5), i -> i))
        .containsExactly("u6", "u7", "u9", "u13", "u21");
  }

  /** Frozen, perhaps. */
  @Test
  void aRegionThatNeverChangesIsNoticedLate() {
    assertThat(alarms(200, i -> 7, i -> i)).containsExactly("u64", "u128");
  }

  @Test
  void whereNothingChangesEachRegionIsNoticedAtOnce() {
    assertThat(alarms(2, i -> 7, i -> 8)).containsExactly("u1", "v1");
  }

  @Test
  void anIterationThatIsCapturedOnceMoreProvesNothing() {
    alarm.watch("u");
    CheckpointId id = new CheckpointId(MEMBER.group(), 1, 0);

    assertThat(alarm.check(id, List.of(image("u", 1)))).isEmpty();
    assertThat(alarm.check(id, List.of(image("u", 1)))).isEmpty();
  }
}

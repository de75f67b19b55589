package io.cairn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointIdTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");
  private static final long TOO_LONG = 1_000_000_000_000_000_000L;

  @Test
  void directoryIsReadableAndPadded() {
    assertThat(new CheckpointId(GROUP, 3, 42).directory()).isEqualTo("e000003-i0000000042");
  }

  @ParameterizedTest
  @CsvSource({"1,0", "999999,9999999999", "1000000,10000000000", "9999999999999,0"})
  void directoryAndBack(long epoch, long iteration) {
    CheckpointId id = new CheckpointId(GROUP, epoch, iteration);
    assertThat(CheckpointId.parse(GROUP, id.directory())).contains(id);
  }

  @RepeatedTest(50)
  void directoryAndBackForAnyNumbers(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    CheckpointId id = anyId(random);
    assertThat(CheckpointId.parse(GROUP, id.directory())).as("seed %d", seed).contains(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "epochs",
        "e000000-i0000000001",
        "e00001-i0000000001",
        "e000001-i000000001",
        "e0000001-i0000000001",
        "e000001-i00000000001",
        "e000001-i0000000001 ",
        "e000001-i0000000001/x",
        "e000001_i0000000001",
        "E000001-I0000000001",
        "e-00001-i0000000001",
        "e000001-i-000000001",
        "e9999999999999999999-i0000000001",
        "e10000000000000-i0000000001",
        "e\u0661\u0661\u0661\u0661\u0661\u0661-i0000000001"
      })
  void parsesNoOtherName(String name) {
    assertThat(CheckpointId.parse(GROUP, name)).isEmpty();
  }

  @Test
  void directoryDoesNotDependOnTheLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      CheckpointId id = new CheckpointId(GROUP, 3, 42);
      assertThat(id.directory()).isEqualTo("e000003-i0000000042");
      assertThat(CheckpointId.parse(GROUP, id.directory())).contains(id);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void rejectsEpochsAndIterationsOutOfRange() {
    assertThatThrownBy(() -> new CheckpointId(GROUP, 0, 1)).hasMessageContaining("epoch 0");
    assertThatThrownBy(() -> new CheckpointId(GROUP, 1, -1)).hasMessageContaining("iteration -1");
    assertThatThrownBy(() -> new CheckpointId(GROUP, TOO_LONG, 1)).hasMessageContaining("epoch");
    assertThatThrownBy(() -> new CheckpointId(GROUP, 1, TOO_LONG)).hasMessageContaining("iter");
  }

  @RepeatedTest(20)
  void newestMeansGreatestEpochThenIteration(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    List<CheckpointId> ids = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      ids.add(new CheckpointId(GROUP, 1 + random.nextInt(4), random.nextInt(10)));
    }
    Collections.sort(ids);
    assertThat(ids)
        .as("seed %d", seed)
        .isSortedAccordingTo(
            Comparator.comparingLong(CheckpointId::epoch)
                .thenComparingLong(CheckpointId::iteration));
  }

  @RepeatedTest(20)
  void namesOfOneWidthSortAsTheIdsDo(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    CheckpointId a =
        new CheckpointId(GROUP, 1 + random.nextInt(999_999), random.nextInt(1_000_000));
    CheckpointId b =
        new CheckpointId(GROUP, 1 + random.nextInt(999_999), random.nextInt(1_000_000));
    assertThat(Integer.signum(a.directory().compareTo(b.directory())))
        .as("seed %d", seed)
        .isEqualTo(Integer.signum(a.compareTo(b)));
  }

  @Test
  void groupsAreOrderedFirst() {
    CheckpointId newer = new CheckpointId(new GroupId("digits", "a"), 9, 9);
    assertThat(newer).isLessThan(new CheckpointId(new GroupId("digits", "b"), 1, 0));
    assertThat(newer.label()).isEqualTo("e9-i9");
    assertThat(newer).hasToString("digits/a e9-i9");
  }

  private static CheckpointId anyId(Random random) {
    long epoch = 1 + (long) Math.pow(10, random.nextDouble() * 11.9);
    long iteration = (long) Math.pow(10, random.nextDouble() * 17.9);
    return new CheckpointId(GROUP, epoch, iteration);
  }
}

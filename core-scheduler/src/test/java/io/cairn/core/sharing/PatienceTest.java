package io.cairn.core.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatienceTest {
  private final Patience patience = new Patience(100);

  @Test
  void theConfiguredDeadlineHoldsWhileAnswersAreFast() {
    patience.took(3);
    patience.took(4);

    assertThat(patience.nanos()).isEqualTo(100);
  }

  @Test
  void aLateAnswerRaisesTheNextDeadline() {
    patience.took(150);

    assertThat(patience.nanos()).isGreaterThan(5 * 150);
  }

  @Test
  void oneSlowAnswerOfManyRaisesNothing() {
    for (int i = 0; i < 20; i++) {
      patience.took(i == 10 ? 10_000 : 1);
    }

    assertThat(patience.nanos()).isEqualTo(100);
  }

  @Test
  void theDeadlineIsBounded() {
    patience.took(Long.MAX_VALUE);

    assertThat(patience.nanos()).isEqualTo(1600);
  }

  @Test
  void theDeadlineFallsWhenAnswersAreFastAgain() {
    for (int i = 0; i < 30; i++) {
      patience.took(150);
    }

    for (int i = 0; i < 5; i++) {
      patience.took(1);
    }

    assertThat(patience.nanos()).isEqualTo(100);
  }
}

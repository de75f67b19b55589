package io.cairn.lab.study.goodput;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.goodput.Cause;
import io.cairn.core.goodput.CauseTimes;
import io.cairn.lab.study.goodput.AttributionSoak.Books;
import io.cairn.lab.study.goodput.AttributionSoak.Training;
import java.util.Locale;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class AttributionSoakTest {
  /** A failure every ten minutes, as the published measurements of short MTBFs have it. */
  private static final Training ALONE = new Training(12, 600, 0, 1, 4, 40, false);

  private static final Training COUPLED = new Training(12, 600, 0, 1, 4, 40, true);
  private static final Training MACHINES = new Training(48, 1800, 0.2, 1, 4, 40, true);

  private static void requireWithinAPoint(Training training, RepetitionInfo repetition) {
    int seed = repetition.getCurrentRepetition();

    Books books = AttributionSoak.run(training, seed);

    String what = String.format(Locale.ROOT, "seed %d: %s", seed, books);
    assertThat(books.worstPoints()).as(what).isLessThan(1);
    assertThat(books.booked().part(Cause.UNKNOWN)).as(what).isLessThan(0.01);
    // records keep milliseconds, and there is one per failure and cause
    assertThat(books.booked().total() / (double) books.truth().total())
        .as(what)
        .isBetween(0.999, 1.001);
  }

  @RepeatedTest(10)
  void attributesARankOnItsOwnWithinAPoint(RepetitionInfo repetition) {
    requireWithinAPoint(ALONE, repetition);
  }

  @RepeatedTest(10)
  void attributesARankOfAGroupWithinAPoint(RepetitionInfo repetition) {
    requireWithinAPoint(COUPLED, repetition);
  }

  @RepeatedTest(10)
  void attributesLossesOfMachinesWithinAPoint(RepetitionInfo repetition) {
    requireWithinAPoint(MACHINES, repetition);
  }

  /** So a book that ignores a cause is noticed. */
  @Test
  void everyKnownCauseTakesMoreThanTheTolerance() {
    CauseTimes truth = AttributionSoak.run(new Training(12, 200, 0, 1, 4, 40, true), 1).truth();
    for (Cause cause : Cause.values()) {
      if (cause != Cause.UNKNOWN && cause != Cause.STALL) {
        assertThat(truth.part(cause)).as(cause.label()).isGreaterThan(0.005);
      }
    }
  }
}

package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import java.util.List;
import org.junit.jupiter.api.Test;

class SealsTest {
  private final Seals seals = new Seals(2);

  @Test
  void isSealedOnceWhenEveryRankHoldsIt() {
    assertThat(held(7, 0)).isFalse();
    assertThat(held(7, 0)).isFalse();
    assertThat(held(7, 1)).isTrue();
    assertThat(held(7, 1)).isFalse();
  }

  @Test
  void levelsAreCountedApart() {
    assertThat(held(7, 0)).isFalse();
    assertThat(seals.held(new Seals.Key(7, Level.STORE), 1, List.of())).isEmpty();
  }

  @Test
  void anAbandonedIterationIsNotSealed() {
    held(7, 0);
    assertThat(seals.abandon(new Seals.Key(7, Level.NODE))).isTrue();
    assertThat(seals.abandon(new Seals.Key(7, Level.NODE))).isFalse();
    assertThat(held(7, 1)).isFalse();
  }

  @Test
  void theOldestEntriesAreDroppedAndReturned() {
    for (long i = 0; i < Seals.MAX_PENDING + 2; i++) {
      held(i, 0);
    }
    assertThat(seals.trim())
        .isEqualTo(List.of(new Seals.Key(0, Level.NODE), new Seals.Key(1, Level.NODE)));
  }

  /** A message that is late by so many must not seal, or commit, for a second time. */
  @Test
  void aDroppedEntryIsNeverReopened() {
    for (long i = 0; i <= Seals.MAX_PENDING; i++) {
      held(i, 0);
      held(i, 1);
    }
    assertThat(seals.trim()).isEmpty();
    held(0, 0);
    assertThat(held(0, 1)).isFalse();
    assertThat(seals.abandon(new Seals.Key(0, Level.NODE))).isFalse();
  }

  /** A flush to a store that stalls outlasts thousands of iterations. */
  @Test
  void reportsOfAFastLevelDropNoneOfASlowOne() {
    Seals alone = new Seals(1);
    for (long i = 0; i < 3 * Seals.MAX_PENDING; i++) {
      var unused = alone.held(new Seals.Key(i, Level.DEVICE), 0, List.of());
      assertThat(alone.trim()).isEmpty();
    }
    assertThat(alone.held(new Seals.Key(0, Level.STORE), 0, List.of())).isPresent();
    assertThat(alone.gaveUp(new Seals.Key(50, Level.STORE), 0)).isTrue();
  }

  @Test
  void aSettledIterationKeepsNoReports() {
    for (long i = 0; i < 100; i++) {
      held(i, 0);
      held(i, 1);
    }
    held(100, 0);
    seals.abandon(new Seals.Key(100, Level.NODE));

    assertThat(seals.reports()).isZero();
  }

  private boolean held(long iteration, int rank) {
    return seals.held(new Seals.Key(iteration, Level.NODE), rank, List.of()).isPresent();
  }
}

package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.flush.commit.RetentionPolicy.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which checkpoints of one line a policy keeps, by their scores and ages. */
class KeptCheckpointsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Map<CheckpointId, CheckpointFacts> facts = new TreeMap<>();

  private void sealed(long iteration, double score, Duration after) {
    sealed(1, iteration, score, after);
  }

  private void sealed(long epoch, long iteration, double score, Duration after) {
    facts.put(
        Written.id(epoch, iteration),
        new CheckpointFacts(OptionalDouble.of(score), Optional.of(START.plus(after))));
  }

  private void scored(double... scores) {
    for (int i = 0; i < scores.length; i++) {
      sealed(i, scores[i], Duration.ofMinutes(i));
    }
  }

  private List<Long> kept(RetentionPolicy policy) {
    List<CheckpointId> alive = new ArrayList<>(new TreeMap<>(facts).descendingKeySet());
    return policy.kept(alive, facts).stream().map(CheckpointId::iteration).toList();
  }

  @Test
  void theBestStay() {
    scored(0.5, 0.2, 0.9, 0.1, 0.7);

    assertThat(kept(RetentionPolicy.newest(1).andBest(2, Order.LOWEST)))
        .containsExactly(4L, 3L, 1L);
    assertThat(kept(RetentionPolicy.newest(1).andBest(2, Order.HIGHEST))).containsExactly(4L, 2L);
  }

  /** A plateau replaces nothing. */
  @Test
  void ofEqualScoresTheOlderIsBetter() {
    scored(0.5, 0.2, 0.2, 0.2, 0.7);

    assertThat(kept(RetentionPolicy.newest(1).andBest(1, Order.LOWEST))).containsExactly(4L, 1L);
    assertThat(kept(RetentionPolicy.newest(1).andBest(1, Order.HIGHEST))).containsExactly(4L);
    scored(0.7, 0.2, 0.7, 0.2, 0.7);
    assertThat(kept(RetentionPolicy.newest(1).andBest(1, Order.HIGHEST))).containsExactly(4L, 0L);
  }

  @Test
  void whatIsNoNumberIsNeverTheBest() {
    scored(Double.NaN, Double.NEGATIVE_INFINITY, 3, Double.POSITIVE_INFINITY, Double.NaN);

    assertThat(kept(RetentionPolicy.newest(1).andBest(3, Order.LOWEST))).containsExactly(4L, 2L);
    assertThat(kept(RetentionPolicy.newest(1).andBest(3, Order.HIGHEST))).containsExactly(4L, 2L);
  }

  @Test
  void theYoungStay() {
    scored(0, 0, 0, 0, 0);

    assertThat(kept(RetentionPolicy.newest(1).andYounger(Duration.ofMinutes(2))))
        .containsExactly(4L, 3L);
    assertThat(kept(RetentionPolicy.newest(1).andYounger(Duration.ofSeconds(121))))
        .containsExactly(4L, 3L, 2L);
  }

  /** The clock of another coordinator is behind, by little or by years. */
  @Test
  void aClockThatGoesBackDeletesNothing() {
    scored(0, 0, 0);
    sealed(3, 0, Duration.ofDays(-900));

    assertThat(kept(RetentionPolicy.newest(1).andYounger(Duration.ofHours(6))))
        .containsExactly(3L, 2L, 1L, 0L);
  }

  /** The clock of a later coordinator is two days ahead, or a training paused for so long. */
  @Test
  void aStepBetweenTwoEpochsMakesNothingMuchOlder() {
    for (int i = 0; i < 10; i++) {
      sealed(1, i, 0, Duration.ofHours(i));
    }
    sealed(2, 10, 0, Duration.ofHours(10).plusDays(2));
    sealed(2, 11, 0, Duration.ofHours(11).plusDays(2));

    assertThat(kept(RetentionPolicy.newest(2).andYounger(Duration.ofDays(1)))).hasSize(12);
    assertThat(kept(RetentionPolicy.newest(2).andYounger(Duration.ofHours(5))))
        .containsExactly(11L, 10L, 9L, 8L, 7L, 6L);
  }

  /** So a training whose every epoch seals once keeps no more than a few of these. */
  @Test
  void theTimeBetweenEpochsCountsUpToATenth() {
    for (int i = 0; i < 100; i++) {
      sealed(i + 1, i, 0, Duration.ofDays(3L * i));
    }

    assertThat(kept(RetentionPolicy.newest(2).andYounger(Duration.ofDays(1)))).hasSize(10);
  }

  @Test
  void aClockThatGoesForwardLeavesWhatOtherRulesKeep() {
    scored(5, 1, 3, 4);
    sealed(4, 2, Duration.ofDays(900_000));

    assertThat(
            kept(
                RetentionPolicy.newest(2)
                    .andBest(1, Order.LOWEST)
                    .andYounger(Duration.ofDays(30_000))))
        .containsExactly(4L, 3L, 1L);
  }

  @Test
  void unknownAgesAndScoresKeepNothing() {
    scored(0.1, 0.2, 0.3);
    facts.replaceAll((id, known) -> id.iteration() == 1 ? CheckpointFacts.NONE : known);

    assertThat(
            kept(RetentionPolicy.newest(1).andBest(9, Order.LOWEST).andYounger(Duration.ofDays(1))))
        .containsExactly(2L, 0L);
    facts.replaceAll((id, known) -> CheckpointFacts.NONE);
    assertThat(kept(RetentionPolicy.newest(2).andYounger(Duration.ofDays(1))))
        .containsExactly(2L, 1L);
  }

  @Test
  void numbersThatMakeNoSenseAreRefused() {
    RetentionPolicy policy = RetentionPolicy.newest(1);

    assertThatIllegalArgumentException().isThrownBy(() -> policy.andBest(-1, Order.LOWEST));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.andYounger(Duration.ofSeconds(-1)));
  }
}

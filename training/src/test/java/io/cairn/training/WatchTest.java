package io.cairn.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Member;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Roll-backs of a training that belongs to no framework. */
class WatchTest {
  private static final Member ALONE = new Member(OneWeight.GROUP, 0, 1);
  private static final int NEVER = -1;

  private final OneWeight training = new OneWeight();

  private Watch<Long> watch(TroubleGuard guard) {
    return new Watch<>(guard, training, ALONE);
  }

  private static OneWeight.State undisturbed() {
    OneWeight other = new OneWeight();
    other.train(new Watch<>(TroubleGuard.DEFAULT, other, ALONE), NEVER, 0);
    return other.state();
  }

  private static List<Long> restored(Watch<?> watch) {
    return watch.rollBacks().stream().map(back -> back.restored().iteration()).toList();
  }

  @Test
  void aBlowWithinACheckpointGoesBackToTheOneBefore() {
    Watch<Long> watch = watch(TroubleGuard.DEFAULT);

    training.train(watch, 20, 1e6);

    assertThat(restored(watch)).containsExactly(20L, 19L);
    assertThat(training.state()).isEqualTo(undisturbed());
  }

  @Test
  void troubleOfTheDataEndsTheTrainingAfterTheTries() {
    training.bad.add(15L);
    Watch<Long> watch = watch(TroubleGuard.DEFAULT.withTries(2));

    assertThatThrownBy(() -> training.train(watch, NEVER, 0))
        .isInstanceOf(TroubleException.class)
        .hasMessageContaining("iteration 15 has loss NaN: it came back")
        .hasMessageContaining("e1-i14 at DEVICE, e1-i13 at DEVICE");
    assertThat(training.checkpoints).doesNotContainKey(15L);
  }

  @Test
  void troubleBeforeTheFirstCheckpointEndsTheTraining() {
    training.bad.add(0L);

    assertThatThrownBy(() -> training.train(watch(TroubleGuard.DEFAULT), NEVER, 0))
        .isInstanceOf(TroubleException.class)
        .hasMessageContaining("no older checkpoint exists, after roll-backs to no checkpoint");
  }

  /** The iterations of the restored training have other examples, their places stay. */
  @Test
  void badExamplesAreLeftOutByTheirPlaces() {
    training.bad.addAll(Set.of(12L, 20L));
    Watch<Long> watch =
        watch(TroubleGuard.DEFAULT.withTries(1).withLastResort(new LastResort.SkipMinibatches(1)));

    training.train(watch, NEVER, 0);

    assertThat(training.state().iteration()).isEqualTo(OneWeight.EXAMPLES - 3L);
    assertThat(watch.rollBacks()).last().matches(back -> back.remedy().endsWith("left out: 1"));
    assertThat(restored(watch)).containsExactly(11L, 10L, 18L, 17L);
  }

  @Test
  void eachFurtherTryOfASmallerRateMultipliesOnceMore() {
    training.bad.add(15L);
    Watch<Long> watch =
        watch(TroubleGuard.DEFAULT.withTries(2).withLastResort(new LastResort.SmallerRate(0.5)));

    assertThatThrownBy(() -> training.train(watch, NEVER, 0)).isInstanceOf(TroubleException.class);

    assertThat(watch.rollBacks()).hasSize(4);
    assertThat(training.rate()).isEqualTo(0.5 * 0.5 * 0.25);
  }

  /** As after a call of the program to roll back by itself. */
  @Test
  void aRestoreByTheProgramGivesAllTriesAgain() {
    training.bad.add(15L);
    Watch<Long> watch = watch(TroubleGuard.DEFAULT.withTries(1));
    assertThatThrownBy(() -> training.train(watch, NEVER, 0)).isInstanceOf(TroubleException.class);

    watch.restored(training.rollBackBefore(12).orElseThrow());

    assertThatThrownBy(() -> training.train(watch, NEVER, 0))
        .isInstanceOf(TroubleException.class)
        .hasMessageContaining("after roll-backs to e1-i14 at DEVICE.");
  }

  @Test
  void aRollBackTakesTheTimeOfTheRestore() {
    AtomicLong nanos = new AtomicLong();
    training.bad.add(15L);
    Watch<Long> watch =
        new Watch<>(TroubleGuard.DEFAULT, training, ALONE, () -> nanos.getAndAdd(5_000_000));
    assertThatThrownBy(() -> training.train(watch, NEVER, 0)).isInstanceOf(TroubleException.class);

    assertThat(watch.rollBacks())
        .hasSize(3)
        .allMatch(back -> back.took().equals(Duration.ofMillis(5)));
  }

  @Test
  void noTroubleIsNothingToRecoverFrom() {
    Watch<Long> watch = watch(TroubleGuard.DEFAULT);

    assertThatThrownBy(watch::recover)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is in no trouble");
  }

  @Test
  void aRankOfACoupledGroupIsRefused() {
    assertThatThrownBy(
            () -> new Watch<>(TroubleGuard.DEFAULT, training, new Member(OneWeight.GROUP, 1, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("coupled group");
  }

  /** It would undo what the program chose. */
  @Test
  void aTroubleOutOfWhichTheProgramWentItselfIsForgotten() {
    Watch<Long> watch = watch(TroubleGuard.DEFAULT);
    training.bad.add(15L);
    while (training.step() && !watch.findsTrouble()) {
      training.checkpoints.put(training.iteration(), training.state());
    }

    watch.restored(training.rollBackBefore(10).orElseThrow());

    assertThatThrownBy(watch::recover).isInstanceOf(IllegalStateException.class);
    assertThat(training.iteration()).isEqualTo(9);
  }
}

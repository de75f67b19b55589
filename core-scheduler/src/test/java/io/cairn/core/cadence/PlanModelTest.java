package io.cairn.core.cadence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cairn.Level;
import io.cairn.core.pattern.NonBlockingLevel;
import io.cairn.core.pattern.NonBlockingPattern;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanModelTest {
  private static final List<NonBlockingLevel> LEVELS =
      List.of(
          new NonBlockingLevel("device", 1e-4, 0.05, 0, 0, 5),
          new NonBlockingLevel("node", 3e-5, 0.1, 30, 0.02, 10),
          new NonBlockingLevel("store", 1e-5, 0.2, 400, 0.05, 60));

  private static double[] unbounded(int levels) {
    double[] within = new double[levels];
    Arrays.fill(within, Double.POSITIVE_INFINITY);
    return within;
  }

  /** Segments that are not walked through one by one, against those that are. */
  @Test
  void manySegmentsOfTheLowestLevelAreWorthTheSameAsEachByItself() {
    PlanModel model = new PlanModel(LEVELS, 10, 1, unbounded(3));
    for (int count : new int[] {4, 8, 9, 16, 50, 200}) {
      double work = 10.0 * count * 5;
      double exact =
          1 - work / new NonBlockingPattern(LEVELS).expectedSeconds(new int[] {count, 5}, work);

      assertThat(model.rating(new long[] {1, count, 5}).waste())
          .as("%d segments", count)
          .isCloseTo(count * 50 < 420 ? 1 : exact, within(4e-3 * exact));
    }
  }

  /** As in a process: DEVICE counts a moment after the training goes on. */
  @Test
  void aFlushOfTheLowestLevelChangesNothingOfThat() {
    for (double flush : new double[] {1e-4, 2, 9}) {
      requireAboutExact(lowestFlushesIn(flush, 0), 4e-3);
      requireAboutExact(lowestFlushesIn(flush, flush / 100), 1e-2);
    }
  }

  private static void requireAboutExact(List<NonBlockingLevel> levels, double most) {
    PlanModel model = new PlanModel(levels, 10, 1, unbounded(3));
    for (int count : new int[] {50, 200}) {
      double work = 10.0 * count * 5;
      double exact =
          1 - work / new NonBlockingPattern(levels).expectedSeconds(new int[] {count, 5}, work);

      assertThat(model.rating(new long[] {1, count, 5}).waste())
          .as("%d segments of %s", count, levels.get(0))
          .isCloseTo(exact, within(most * exact));
    }
    assertThat(model.rating(new long[] {1, 2300, 7}).waste()).isLessThan(1);
  }

  private static List<NonBlockingLevel> lowestFlushesIn(double seconds, double slowsBy) {
    return List.of(
        new NonBlockingLevel("device", 1e-4, 0.05, seconds, slowsBy, 5),
        LEVELS.get(1),
        LEVELS.get(2));
  }

  /** A stop of 1 µs is far within the budget. */
  @Test
  void aLowestLevelThatDoesNotDrainInAnIterationIsNotBoundByStops() {
    NonBlockingLevel slow = new NonBlockingLevel("device", 1e-4, 1e-6, 2.9e-3, 0, 5);
    NonBlockingLevel costly = new NonBlockingLevel("device", 1e-4, 1e-3, 2.9e-3, 0, 5);

    PlanModel draining = new PlanModel(List.of(slow), 3e-3, 0.01, unbounded(1));
    PlanModel stalling = new PlanModel(List.of(costly), 3e-3, 0.01, unbounded(1));

    assertThat(draining.leastPeriod()).isEqualTo(2);
    assertThat(draining.bound(0, 0, 2)).isEqualTo(PeriodBound.DRAIN);
    assertThat(draining.bound(0, 0, 1)).isEqualTo(PeriodBound.OPTIMUM);
    assertThat(stalling.bound(0, 0, stalling.leastPeriod())).isEqualTo(PeriodBound.STALL);
  }

  @Test
  void theSearchFindsTheBestOfAGrid() {
    PlanModel model = new PlanModel(LEVELS, 10, 0.01, unbounded(3));
    double found = PlanSearch.of(model, 0).rating().waste();
    assertThat(found).isLessThan(0.05);
    for (long segment = 1; segment < 40; segment++) {
      for (long node = 1; node < 30; node++) {
        for (long store = 1; store < 12; store++) {
          assertThat(model.rating(new long[] {segment, node, store}).waste())
              .as("%d %d %d", segment, node, store)
              .isGreaterThanOrEqualTo(found * (1 - 0.01));
        }
      }
    }
  }

  /** Periods that first order puts millions of segments apart. */
  @Test
  void theSearchFindsAPlanHoweverFarApartRatesAre() {
    for (double apart : new double[] {1, 100, 1e4}) {
      List<NonBlockingLevel> levels =
          List.of(
              new NonBlockingLevel("device", 1e-3, 0.001, 0, 0, 1),
              new NonBlockingLevel("node", 1e-4 / apart, 0.01, 2, 0.02, 10),
              new NonBlockingLevel("peer", 1e-5 / apart / apart, 1, 20, 0.02, 10),
              new NonBlockingLevel("store", 1e-6 / apart / apart / apart, 20, 40, 0.05, 60));
      PlanSearch found = PlanSearch.of(new PlanModel(levels, 0.01, 0.01, unbounded(4)), 0);
      assertThat(found.rating().waste()).as("times %s: %s", apart, found.shape()).isLessThan(0.02);
    }
  }

  /** No failure seen is not a rate of zero, and the prior fades. */
  @Test
  void ratesFollowObservedFailures() {
    Map<Level, Double> mtbf =
        Map.of(Level.DEVICE, 100.0, Level.NODE, 1e4, Level.PEER, 1e5, Level.STORE, 1e6);
    FailureRates rates =
        new FailureRates(new AdaptiveSettings(mtbf, 0.01, Set.of(Level.STORE), Set.of(), Map.of()));
    assertThat(rates.perSecond(Level.NODE)).isEqualTo(1e-4);
    rates.passed(1e6);
    assertThat(rates.perSecond(Level.DEVICE)).isCloseTo(1e-6, within(1e-9));
    for (int failure = 0; failure < 999; failure++) {
      rates.failed(Level.DEVICE);
    }
    assertThat(rates.perSecond(Level.DEVICE)).isCloseTo(1e-3, within(1e-6));
  }

  /** A machine that is busy otherwise holds up one capture in five a hundredfold. */
  @Test
  void rareDelaysDoNotCount() {
    Smoothed cost = new Smoothed();

    for (int pattern = 0; pattern < 3; pattern++) {
      for (int measured = 0; measured < 1000; measured++) {
        cost.add(measured % 5 == 0 ? 100 : 1);
      }
      cost.settle();
    }

    assertThat(cost.value()).isEqualTo(1);
    assertThat(cost.changed()).isFalse();
  }

  /** A changed cost is believed at once, noise is averaged. */
  @Test
  void costsFollowChanges() {
    Smoothed cost = new Smoothed();
    assertThat(cost.known()).isFalse();
    cost.add(1);
    cost.settle();
    cost.add(1.5);
    assertThat(cost.value()).isEqualTo(1.25);
    cost.settle();
    cost.add(9);
    cost.add(11);
    assertThat(cost.changed()).isTrue();
    assertThat(cost.value()).isEqualTo(10);
  }
}

package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.core.pattern.NonBlockingLevel;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Levels whose flushes take about as long as their bounds permit, with the default MTBFs. */
class PlanChoiceTest {
  private static final Set<Level> LEVELS = Set.of(Level.DEVICE, Level.NODE, Level.STORE);
  private static final double CAPTURE_SECONDS = 1e-3;

  private static PlanChoice choice(
      double iterationSeconds, double node, double store, Map<Level, Double> within) {
    AdaptiveSettings usual = AdaptiveSettings.defaults(LEVELS);
    AdaptiveSettings settings =
        new AdaptiveSettings(usual.mtbfSeconds(), usual.stallBudget(), LEVELS, Set.of(), within);
    Map<Level, Double> flush = Map.of(Level.NODE, node, Level.STORE, store);
    Function<Level, NonBlockingLevel> costs =
        level -> {
          double flushSeconds = flush.getOrDefault(level, 0.0);
          double stop = level == Level.DEVICE ? CAPTURE_SECONDS : 0;
          return new NonBlockingLevel(
              level.name(),
              1 / settings.mtbfSeconds(level),
              stop,
              flushSeconds,
              0.01,
              stop + flushSeconds);
        };
    return new PlanChoice(settings, iterationSeconds, costs);
  }

  /** 421 is prime: no multiple of a period of NODE keeps the bound of STORE. */
  @ParameterizedTest
  @CsvSource({"2,400.5,60,600", "2,90,60,60", "31,500,60,600", "2,285,60,600"})
  void capturesEachIterationHoweverLongFlushesTake(
      double node, double store, double nodeWithin, double storeWithin) {
    Map<Level, Double> within = Map.of(Level.NODE, nodeWithin, Level.STORE, storeWithin);

    PlanChoice.Chosen chosen = choice(1, node, store, within).best(Set.of());

    assertThat(chosen.periods()).containsEntry(Level.DEVICE, 1L);
    assertThat(requireNonNull(chosen.periods().get(Level.STORE)) * 1.0)
        .isBetween(1.05 * store, 1.05 * store + nodeWithin);
  }

  /** 300 to 314 iterations, of which many are multiples of a period of NODE. */
  @Test
  void findsTheFewPeriodsThatKeepABoundAndDrain() {
    Map<Level, Double> within = Map.of(Level.NODE, 60.0, Level.STORE, 600.0);

    Map<Level, Long> periods = choice(1, 2, 285, within).best(Set.of()).periods();

    assertThat(requireNonNull(periods.get(Level.STORE))).isBetween(300L, 314L);
  }

  /** NODE drains in 4 iterations, and its bound permits 5. */
  @Test
  void noBoundThatIsKeptIsGivenUpForMoreCaptures() {
    Set<Level> levels = Set.of(Level.DEVICE, Level.NODE);
    AdaptiveSettings usual = AdaptiveSettings.defaults(levels);
    AdaptiveSettings settings =
        new AdaptiveSettings(usual.mtbfSeconds(), 0.01, levels, Set.of(), Map.of(Level.NODE, 9.1));
    NonBlockingLevel device = new NonBlockingLevel("device", 1e-5, 0.025, 0, 0, 1);
    NonBlockingLevel node = new NonBlockingLevel("node", 1e-5, 0, 3.8, 0, 5);
    NonBlockingLevel unused = new NonBlockingLevel("unused", 1e-6, 0, 1, 0, 5);
    Map<Level, NonBlockingLevel> costs = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      costs.put(level, level == Level.DEVICE ? device : level == Level.NODE ? node : unused);
    }
    CadencePlan present = new CadencePlan(1, 0, Map.of(Level.DEVICE, 4L, Level.NODE, 4L));

    assertThat(new CadenceSearch(settings, present, 1, costs, Set.of()).run().periods()).isEmpty();
  }

  /** STORE drains in so many iterations, and its bound leaves room for a tenth more. */
  @RepeatedTest(100)
  void keepsEveryBoundWhereSomePeriodsDo(RepetitionInfo repetition) {
    SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
    double store = 40 + random.nextDouble() * 400;
    double storeWithin = store + 1.05 * store * (1.05 + random.nextDouble() * 0.1) + 4;
    Map<Level, Double> within =
        Map.of(Level.NODE, 60 + random.nextDouble() * 200, Level.STORE, storeWithin);

    PlanChoice.Chosen chosen = choice(1, 2, store, within).best(Set.of());

    assertThat(chosen.rating().kept())
        .as("seed %d: %s, within %s", repetition.getCurrentRepetition(), chosen, within)
        .isEqualTo(PlanRating.Kept.ALL);
  }

  /** Captures stop the training for a small part of their budget, and other levels never do. */
  @RepeatedTest(200)
  void boundsOfOtherLevelsNeverMakeCapturesRare(RepetitionInfo repetition) {
    SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
    double iterationSeconds = Math.exp(Math.log(0.2) + random.nextDouble() * Math.log(200));
    double node = random.nextDouble() * 70;
    double store = node + random.nextDouble() * 700;
    Map<Level, Double> within =
        Map.of(
            Level.NODE,
            20 + random.nextDouble() * 100,
            Level.STORE,
            100 + random.nextDouble() * 900);

    PlanChoice.Chosen chosen = choice(iterationSeconds, node, store, within).best(Set.of());

    assertThat(chosen.periods())
        .as(
            "seed %d: iterations of %.2f s, flushes of %.1f s and %.1f s within %s",
            repetition.getCurrentRepetition(), iterationSeconds, node, store, within)
        .containsEntry(Level.DEVICE, 1L);
  }
}

package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;

import io.cairn.core.model.Level;
import io.cairn.core.pattern.NonBlockingLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The search for a better plan, cut off from the cadence that asks for it, so that it can run
 * elsewhere: up to some seconds of computing. Immutable; asking again gives the same.
 */
public final class CadenceSearch {
  /** A plan is left for one that saves at least this part of its waste. */
  private static final double WORTH_A_CHANGE = 0.01;

  /** Numbers that differ less, relative, lead to plans that do not differ in what they waste. */
  private static final double SAME = 0.05;

  private final AdaptiveSettings settings;
  private final CadencePlan present;
  private final double iterationSeconds;
  private final Map<Level, NonBlockingLevel> costs;
  private final Set<Level> doubtful;

  /**
   * A search with what is known now.
   *
   * @param costs of every level
   * @param doubtful the levels whose costs have to be measured again: the next plan uses them
   */
  CadenceSearch(
      AdaptiveSettings settings,
      CadencePlan present,
      double iterationSeconds,
      Map<Level, NonBlockingLevel> costs,
      Set<Level> doubtful) {
    this.settings = settings;
    this.present = present;
    this.iterationSeconds = iterationSeconds;
    this.costs = Map.copyOf(costs);
    this.doubtful = Set.copyOf(doubtful);
  }

  /**
   * What a search found.
   *
   * @param presentWaste predicted of the plan in force
   * @param periods by level, of a plan that is worth a change
   */
  public record Found(double presentWaste, Optional<Map<Level, Long>> periods) {}

  /** Searches. */
  public Found run() {
    PlanChoice choice = new PlanChoice(settings, iterationSeconds, this::cost);
    double waste = choice.waste(present);
    PlanChoice.Chosen best = choice.best(doubtful);
    boolean worth = best.waste() <= waste * (1 - WORTH_A_CHANGE) || learns();
    return new Found(
        waste, best.waste() < 1 && worth ? Optional.of(best.periods()) : Optional.empty());
  }

  private NonBlockingLevel cost(Level level) {
    return requireNonNull(costs.get(level));
  }

  /** Whether the plan in force would leave a doubt open. */
  private boolean learns() {
    return !present.levels().containsAll(doubtful);
  }

  /** Whether this search would find what the one before did, by and large. */
  boolean repeats(CadenceSearch before) {
    List<Double> numbers = numbers();
    List<Double> others = before.numbers();
    boolean same = !learns();
    for (int index = 0; same && index < numbers.size(); index++) {
      double other = others.get(index);
      same = Math.abs(numbers.get(index) - other) <= SAME * Math.abs(other);
    }
    return same;
  }

  /** All that a choice rests on. */
  private List<Double> numbers() {
    List<Double> numbers = new ArrayList<>();
    numbers.add(iterationSeconds);
    for (Level level : Level.values()) {
      NonBlockingLevel cost = cost(level);
      numbers.add(cost.failuresPerSecond());
      numbers.add(cost.blockingSeconds());
      numbers.add(cost.flushSeconds());
      numbers.add(1 + cost.overheadFactor());
      numbers.add(cost.recoverySeconds());
    }
    return numbers;
  }
}

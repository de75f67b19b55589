package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;

import io.cairn.Level;
import io.cairn.core.pattern.NonBlockingLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A search for a better plan. It holds all of its input, so that it can run on another thread than
 * the cadence that requests it: up to some seconds of computing. Immutable, deterministic.
 */
public final class CadenceSearch {
  /** The part of its waste that a new plan has to save of the present one. */
  private static final double WORTH_A_CHANGE = 0.01;

  /** Inputs with a smaller relative difference lead to plans of the same waste. */
  private static final double SAME = 0.05;

  private final AdaptiveSettings settings;
  private final CadencePlan present;
  private final double iterationSeconds;
  private final Map<Level, NonBlockingLevel> costs;
  private final Set<Level> doubtful;

  /**
   * A search with the present estimates.
   *
   * @param costs of every level
   * @param doubtful the levels whose costs have to be measured again; the next plan uses them
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
   * The result of a search.
   *
   * @param presentWaste the predicted waste of the plan in force
   * @param periods by level, of a plan that is worth a change
   */
  public record Found(double presentWaste, Optional<Map<Level, Long>> periods) {}

  /** Runs the search. */
  public Found run() {
    PlanChoice choice = new PlanChoice(settings, iterationSeconds, this::cost);
    double waste = choice.waste(present);
    PlanChoice.Chosen best = choice.best(doubtful);
    int keepsMore = choice.rating(present).kept().compareTo(best.rating().kept());
    boolean saves = best.rating().waste() <= waste * (1 - WORTH_A_CHANGE);
    boolean better = keepsMore >= 0 && (saves || capturesMore(best)); // no bound is given up for it
    boolean worth = keepsMore > 0 || better || learns();
    boolean other = !best.periods().equals(present.periods());
    return new Found(
        waste,
        best.rating().possible() && worth && other
            ? Optional.of(best.periods())
            : Optional.empty());
  }

  /** Whether a new plan captures more iterations than the plan in force. */
  private boolean capturesMore(PlanChoice.Chosen best) {
    Long now = present.periods().get(Level.DEVICE);
    Long then = best.periods().get(Level.DEVICE);
    return now != null && then != null && then < now;
  }

  private NonBlockingLevel cost(Level level) {
    return requireNonNull(costs.get(level));
  }

  /** Whether a new plan would use doubtful levels that the plan in force leaves out. */
  private boolean learns() {
    return !present.levels().containsAll(doubtful);
  }

  /** Whether this search would find about the same plan as the previous one. */
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

  /** The inputs of a choice. */
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

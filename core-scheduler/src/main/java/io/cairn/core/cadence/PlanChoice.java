package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;

import io.cairn.core.model.Level;
import io.cairn.core.pattern.NonBlockingLevel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Chooses the periods of least predicted waste over every permitted subset of levels. */
final class PlanChoice {
  /** The part of the best plan's waste that capturing every iteration may add. */
  private static final double EACH_ITERATION_SHARE = 0.03;

  private final AdaptiveSettings settings;
  private final double iterationSeconds;
  private final Function<Level, NonBlockingLevel> costs;

  /** A choice among levels with these costs, each with the rate of its own failures only. */
  PlanChoice(
      AdaptiveSettings settings, double iterationSeconds, Function<Level, NonBlockingLevel> costs) {
    this.settings = settings;
    this.iterationSeconds = iterationSeconds;
    this.costs = costs;
  }

  /** Periods by level and their predicted waste, which is 1 if no plan is possible. */
  record Chosen(Map<Level, Long> periods, double waste) {}

  /**
   * The best plan.
   *
   * @param needed the levels that it has to use
   */
  Chosen best(Set<Level> needed) {
    List<Level> optional =
        List.copyOf(EnumSet.copyOf(settings.levels())).stream()
            .filter(settings.optional()::contains)
            .filter(level -> !needed.contains(level))
            .toList();
    Chosen best = new Chosen(Map.of(), 1);
    for (int left = 0; left < 1 << optional.size(); left++) {
      Set<Level> used = EnumSet.copyOf(settings.levels());
      for (int index = 0; index < optional.size(); index++) {
        if ((left >> index & 1) != 0) {
          used.remove(optional.get(index));
        }
      }
      Chosen chosen = best(List.copyOf(used));
      best = chosen.waste() < best.waste() ? chosen : best;
    }
    return best;
  }

  private Chosen best(List<Level> used) {
    PlanModel model = model(used);
    PlanSearch found = PlanSearch.of(model);
    long[] shape = found.shape();
    double waste = found.waste();
    if (shape.length > 1 && shape[0] > 1) {
      long[] each = shape.clone();
      each[1] *= each[0];
      each[0] = 1;
      double eachWaste = model.waste(each);
      if (eachWaste < 1 && eachWaste <= waste * (1 + EACH_ITERATION_SHARE)) {
        shape = each;
        waste = eachWaste;
      }
    }
    return new Chosen(periods(used, shape), waste);
  }

  /** The predicted waste of a plan. */
  double waste(CadencePlan plan) {
    List<Level> used = plan.levels();
    long[] shape = new long[used.size()];
    long below = 1;
    for (int index = 0; index < shape.length; index++) {
      long every = requireNonNull(plan.periods().get(used.get(index)));
      shape[index] = every / below;
      below = every;
    }
    return model(used).waste(shape);
  }

  private static Map<Level, Long> periods(List<Level> used, long[] shape) {
    Map<Level, Long> periods = new EnumMap<>(Level.class);
    long period = 1;
    for (int index = 0; index < shape.length; index++) {
      period *= shape[index];
      periods.put(used.get(index), period);
    }
    return periods;
  }

  /** Adds the failures of an unused level to the next level in use, which has to survive them. */
  private PlanModel model(List<Level> used) {
    List<NonBlockingLevel> merged = new ArrayList<>();
    double rate = 0;
    for (Level level : Level.values()) {
      NonBlockingLevel cost = costs.apply(level);
      rate += cost.failuresPerSecond();
      if (used.contains(level)) {
        merged.add(
            new NonBlockingLevel(
                level.name(),
                rate,
                cost.blockingSeconds(),
                cost.flushSeconds(),
                cost.overheadFactor(),
                cost.recoverySeconds()));
        rate = 0;
      }
    }
    return new PlanModel(merged, iterationSeconds, settings.stallBudget());
  }
}

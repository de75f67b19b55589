package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;

import io.cairn.Level;
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
  /** The longest period of DEVICE that is tried. */
  private static final long LONGEST = 1L << 30;

  private static final PlanRating NO_PLAN =
      new PlanRating(PlanRating.Kept.NONE, Double.POSITIVE_INFINITY, 1);

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

  /** Periods by level, and their rating. */
  record Chosen(Map<Level, Long> periods, PlanRating rating) {}

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
            .filter(level -> Double.isInfinite(settings.withinSeconds(level)))
            .toList();
    Chosen best = new Chosen(Map.of(), NO_PLAN);
    for (int left = 0; left < 1 << optional.size(); left++) {
      Set<Level> used = EnumSet.copyOf(settings.levels());
      for (int index = 0; index < optional.size(); index++) {
        if ((left >> index & 1) != 0) {
          used.remove(optional.get(index));
        }
      }
      Chosen chosen = best(List.copyOf(used));
      best = chosen.rating().compareTo(best.rating()) < 0 ? chosen : best;
    }
    return best;
  }

  /**
   * The best periods of these levels. DEVICE is used as often as the stall budget permits: a
   * capture costs least of all levels, and the other levels read from it.
   */
  private Chosen best(List<Level> used) {
    PlanModel model = model(used);
    if (used.get(0) != Level.DEVICE) {
      return chosen(used, PlanSearch.of(model, 0));
    }
    long every = model.leastPeriod();
    PlanSearch found = PlanSearch.of(model, every);
    while (!found.rating().possible() && every < LONGEST) {
      every *= 2;
      found = PlanSearch.of(model, every);
    }
    return chosen(used, found);
  }

  private static Chosen chosen(List<Level> used, PlanSearch found) {
    return new Chosen(periods(used, found.shape()), found.rating());
  }

  /** The reason, by level, why each period of a plan is not longer. */
  Map<Level, PeriodBound> bounds(CadencePlan plan) {
    List<Level> used = plan.levels();
    PlanModel model = model(used);
    Map<Level, PeriodBound> bounds = new EnumMap<>(Level.class);
    long below = 0;
    for (int index = 0; index < used.size(); index++) {
      long every = requireNonNull(plan.periods().get(used.get(index)));
      bounds.put(used.get(index), model.bound(index, below, every));
      below = every;
    }
    return bounds;
  }

  /** The predicted waste of a plan, which may break a bound. */
  double waste(CadencePlan plan) {
    return model(plan.levels()).predicted(shape(plan));
  }

  /** The rating of a plan, which may break a bound. */
  PlanRating rating(CadencePlan plan) {
    return model(plan.levels()).rating(shape(plan));
  }

  private static long[] shape(CadencePlan plan) {
    List<Level> used = plan.levels();
    long[] shape = new long[used.size()];
    long below = 1;
    for (int index = 0; index < shape.length; index++) {
      long every = requireNonNull(plan.periods().get(used.get(index)));
      shape[index] = every / below;
      below = every;
    }
    return shape;
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
    double[] within = used.stream().mapToDouble(settings::withinSeconds).toArray();
    return new PlanModel(merged, iterationSeconds, settings.stallBudget(), within);
  }
}

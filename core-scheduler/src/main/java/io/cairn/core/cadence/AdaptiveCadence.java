package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;

import io.cairn.Level;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.pattern.NonBlockingLevel;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adapts the cadence of a group while it runs. It estimates the cost of each level and the rates of
 * failures. At the end of a pattern it proposes the plan with the least predicted waste, if that
 * saves enough. It does no I/O and has no clock: callers pass the time. Not thread-safe.
 */
public final class AdaptiveCadence {
  /*
   * Prediction
   *
   * NonBlockingPattern predicts the waste of a plan. Three bounds hold: no level receives
   * checkpoints faster than it drains them, checkpoints block the training for at most the stall
   * budget, and no newest checkpoint becomes older than the user permits. DEVICE captures every
   * iteration, unless captures alone exceed the stall budget.
   *
   * Learning
   *
   * Measured holds costs, FailureRates failures, and recoveries the time from a failure to the
   * resumption. Measurements count from the end of the pattern in which they were taken.
   *
   * Change of plan
   *
   * patternEnded() returns a search, which is to run elsewhere; found() turns its result into a
   * proposal; adopted() puts the proposal into force, and withdrawn() drops it.
   *
   * Account
   *
   * WasteAccount compares the predicted waste with the achieved one, over the time since the first
   * prediction. Work that a rollback loses is subtracted.
   */

  private final AdaptiveSettings settings;
  private final FailureRates failures;
  private final Measured measured = new Measured();
  private final Map<Level, Smoothed> recoveries = new EnumMap<>(Level.class);
  private final WasteAccount account = new WasteAccount();
  private CadencePlan plan;
  private Map<Level, PeriodBound> bounds = new EnumMap<>(Level.class);
  private double predicted = Double.NaN;
  private Optional<CadenceSearch> searched = Optional.empty();
  private long lastVersion;

  /** The last time that was passed; NaN before the first, whose clock began anywhere. */
  private double lastSeconds = Double.NaN;

  private long reached;

  /** Begins with a plan; all estimates are those of the settings. */
  public AdaptiveCadence(AdaptiveSettings settings, CadencePlan start) {
    this.settings = settings;
    this.failures = new FailureRates(settings);
    this.plan = start;
    this.lastVersion = start.version();
    start.levels().forEach(level -> bounds.put(level, PeriodBound.START));
    for (Level level : Level.values()) {
      recoveries.put(level, new Smoothed());
    }
  }

  /** The plan that was adopted last. */
  public CadencePlan plan() {
    return plan;
  }

  /**
   * Begins with the periods and measurements of an earlier coordinator. It must be the first call.
   *
   * <p>Periods of other levels than those in use are not taken, nor periods that lack one.
   */
  public void begin(Learned learned) {
    failures.add(learned);
    measured.begin(learned);
    Set<Level> periods = learned.periods().keySet();
    Set<Level> needed = EnumSet.copyOf(settings.levels());
    needed.removeAll(settings.optional());
    if (settings.levels().containsAll(periods) && periods.containsAll(needed)) {
      plan = new CadencePlan(plan.version(), 0, learned.periods());
      bounds = Map.copyOf(learned.bounds());
    }
  }

  /**
   * A rank restored a checkpoint with these measurements. They take the place of earlier ones if
   * more was observed for them. The plan in force does not change.
   */
  public void recall(Learned learned) {
    if (failures.recall(learned)) {
      measured.begin(learned);
    }
  }

  /** The measurements so far, and the plan in force; empty while no iteration was measured. */
  public Optional<Learned> learned() {
    if (measured.iterationSeconds() <= 0) {
      return Optional.empty();
    }
    Map<Level, Learned.Cost> costs = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      if (measured.knows(level)) {
        costs.put(
            level,
            new Learned.Cost(
                measured.blockedSeconds(level),
                measured.latencySeconds(level),
                measured.overheadFactor(level)));
      }
    }
    return Optional.of(
        new Learned(
            plan.periods(),
            bounds,
            failures.seconds(),
            measured.iterationSeconds(),
            failures.seen(),
            costs));
  }

  /** Takes a rank's measurement of a checkpoint. */
  public void measured(int rank, Level level, Measurement measurement) {
    measured.add(rank, level, measurement);
  }

  /**
   * The group resumes from an iteration.
   *
   * @param from the level of the copy that it rolled back to; empty if no failure preceded
   * @param recoverySeconds since the failure; 0 if unknown
   */
  public void resumed(
      double nowSeconds, long iteration, Optional<Level> from, double recoverySeconds) {
    if (from.isPresent()) {
      failures.failed(from.get());
      if (recoverySeconds > 0) {
        recovery(from.get()).add(recoverySeconds);
      }
      passTo(nowSeconds);
      advanceTo(iteration);
    }
    plan = plan.fromTheStart();
    lastSeconds = nowSeconds;
    reached = iteration;
  }

  private Smoothed recovery(Level level) {
    return requireNonNull(recoveries.get(level));
  }

  /** The group has computed all iterations up to this one. An older one is ignored. */
  public void progressed(double nowSeconds, long iteration) {
    if (iteration > reached) {
      passTo(nowSeconds);
      advanceTo(iteration);
    }
  }

  private void passTo(double nowSeconds) {
    if (Double.isNaN(lastSeconds)) {
      lastSeconds = nowSeconds;
    }
    double passed = Math.max(0, nowSeconds - lastSeconds);
    failures.passed(passed);
    if (!Double.isNaN(predicted)) {
      account.passed(passed, predicted);
    }
    lastSeconds = Math.max(lastSeconds, nowSeconds);
  }

  private void advanceTo(long iteration) {
    if (!Double.isNaN(predicted)) {
      account.worked((iteration - reached) * measured.iterationSeconds());
    }
    reached = iteration;
  }

  /**
   * A pattern ended: its measurements count from now on.
   *
   * @return a search to run, if it could find a new plan; its result is for {@link #found}
   */
  public Optional<CadenceSearch> patternEnded() {
    measured.settle();
    recoveries.values().forEach(Smoothed::settle);
    if (measured.iterationSeconds() <= 0
        || !settings.levels().stream().map(this::standIn).allMatch(measured::knows)) {
      return Optional.empty();
    }
    Map<Level, NonBlockingLevel> costs = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      costs.put(level, cost(level));
    }
    CadenceSearch search =
        new CadenceSearch(settings, plan, measured.iterationSeconds(), costs, measured.doubtful());
    if (searched.filter(search::repeats).isPresent()) {
      return Optional.empty();
    }
    searched = Optional.of(search);
    return searched;
  }

  /**
   * Takes the result of a search.
   *
   * @param leadIterations the iterations that ranks may compute before a new plan has reached them
   * @return the plan to propose, which begins at least so many iterations ahead
   */
  public Optional<CadencePlan> found(CadenceSearch.Found found, long leadIterations) {
    predicted = found.presentWaste();
    return found
        .periods()
        .map(
            periods ->
                new CadencePlan(
                    ++lastVersion,
                    validFrom(Collections.max(periods.values()), leadIterations),
                    periods));
  }

  /** The proposed plan is dropped, so the next search is not skipped as a repetition. */
  public void withdrawn() {
    searched = Optional.empty();
  }

  /** The end of the present pattern, or earlier if that is further than a whole new pattern. */
  private long validFrom(long length, long leadIterations) {
    long earliest =
        Math.max(Math.max(0, reached) + Math.max(1, leadIterations), plan.fromIteration() + 1);
    long pattern = plan.patternIterations();
    long wait = Math.floorMod(plan.fromIteration() - earliest, pattern);
    return wait <= length ? earliest + wait : earliest;
  }

  /** The proposed plan is in force before any rank reaches its first iteration. */
  public void adopted(CadencePlan adopted) {
    plan = adopted;
    if (measured.iterationSeconds() > 0) {
      PlanChoice choice = new PlanChoice(settings, measured.iterationSeconds(), this::cost);
      predicted = choice.waste(adopted);
      bounds = choice.bounds(adopted);
    }
  }

  /** Estimated seconds of an iteration without checkpoints; 0 if unknown. */
  public double iterationSeconds() {
    return measured.iterationSeconds();
  }

  /** The plan in force, its reasons, and predicted and achieved waste. */
  public CadenceReport report() {
    return new CadenceReport(
        plan,
        bounds,
        learned(),
        predicted,
        account.predicted(),
        account.achieved(),
        account.seconds());
  }

  /**
   * The level whose costs count for a level. There may be no machine for long that fetches copies,
   * so STORE stands in for such a level until it was reached once.
   */
  private Level standIn(Level level) {
    boolean absent = LevelSpec.of(level).isFetched() && !measured.knows(level);
    return absent ? LevelSpec.committed() : level;
  }

  /** The costs of a level. Until a recovery was seen, reading a copy costs as much as writing. */
  private NonBlockingLevel cost(Level level) {
    Level costing = standIn(level);
    double stop = measured.blockedSeconds(costing);
    double latency = measured.latencySeconds(costing);
    Smoothed recovery = recovery(level);
    return new NonBlockingLevel(
        level.name(),
        failures.perSecond(level),
        stop,
        latency,
        measured.overheadFactor(costing),
        recovery.known() ? recovery.value() : stop + latency);
  }
}

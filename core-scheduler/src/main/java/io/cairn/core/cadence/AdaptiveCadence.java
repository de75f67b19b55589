package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;

import io.cairn.core.model.Level;
import io.cairn.core.pattern.NonBlockingLevel;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides a group's cadence while it runs: learns what each level costs and how often failures
 * strike, and at the end of a pattern proposes the plan with the least predicted waste, if that is
 * worth a change. The prediction is that of {@link io.cairn.core.pattern.NonBlockingPattern},
 * within two bounds: no level is fed faster than it drains, and checkpoints stop the training for
 * at most the stall budget. Capturing each iteration is preferred where it costs next to nothing
 * more.
 *
 * <p>Has no clock and does no I/O; whoever calls it says what time it is. Not thread-safe.
 */
public final class AdaptiveCadence {
  private final AdaptiveSettings settings;
  private final FailureRates failures;
  private final Measured measured = new Measured();
  private final Map<Level, Smoothed> recoveries = new EnumMap<>(Level.class);
  private final WasteAccount account = new WasteAccount();
  private CadencePlan plan;
  private double predicted = Double.NaN;
  private Optional<CadenceSearch> searched = Optional.empty();
  private long lastVersion;
  private double lastSeconds;
  private long reached;

  /** Begins with a plan, knowing nothing but the settings. */
  public AdaptiveCadence(AdaptiveSettings settings, CadencePlan start) {
    this.settings = settings;
    this.failures = new FailureRates(settings);
    this.plan = start;
    this.lastVersion = start.version();
    for (Level level : Level.values()) {
      recoveries.put(level, new Smoothed());
    }
  }

  /** The plan that was adopted last. */
  public CadencePlan plan() {
    return plan;
  }

  /** Takes what a rank measured of a checkpoint. */
  public void measured(int rank, Level level, Measurement measurement) {
    measured.add(rank, level, measurement);
  }

  /**
   * The group goes on from an iteration.
   *
   * @param from the level of the copy that it went back to; empty if it begins
   * @param recoverySeconds since the failure; 0 if that is not known
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

  /** The group has done an iteration, and all before. What is older than known is ignored. */
  public void progressed(double nowSeconds, long iteration) {
    if (iteration > reached) {
      passTo(nowSeconds);
      advanceTo(iteration);
    }
  }

  private void passTo(double nowSeconds) {
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
   * A pattern ended: what was measured in it counts from now on.
   *
   * @return a search to be run, if it could find something new; its result is for {@link #found}
   */
  public Optional<CadenceSearch> patternEnded() {
    measured.settle();
    recoveries.values().forEach(Smoothed::settle);
    if (measured.iterationSeconds() <= 0 || !settings.levels().stream().allMatch(measured::knows)) {
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
   * Takes what a search found for the plan in force.
   *
   * @param leadIterations how many more iterations ranks may do before a new plan has reached them
   * @return the plan to be proposed, from an iteration that lies at least so far ahead
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

  /** A plan that was proposed does not come into force; the next search is not spared. */
  public void withdrawn() {
    searched = Optional.empty();
  }

  /** At the end of the present pattern, or sooner if that is further than a whole new one. */
  private long validFrom(long length, long leadIterations) {
    long earliest =
        Math.max(Math.max(0, reached) + Math.max(1, leadIterations), plan.fromIteration() + 1);
    long pattern = plan.patternIterations();
    long wait = Math.floorMod(plan.fromIteration() - earliest, pattern);
    return wait <= length ? earliest + wait : earliest;
  }

  /** A plan that was proposed is in force, or will be before anybody reaches where it begins. */
  public void adopted(CadencePlan adopted) {
    plan = adopted;
    if (measured.iterationSeconds() > 0) {
      predicted = new PlanChoice(settings, measured.iterationSeconds(), this::cost).waste(adopted);
    }
  }

  /** What an iteration takes by itself, as far as is known; 0 if nothing is. */
  public double iterationSeconds() {
    return measured.iterationSeconds();
  }

  /** Prediction and achievement side by side. */
  public CadenceReport report() {
    return new CadenceReport(
        plan, predicted, account.predicted(), account.achieved(), account.seconds());
  }

  /**
   * What a level costs; a copy is read back in the time that it took to write, if none ever was.
   */
  private NonBlockingLevel cost(Level level) {
    double stop = measured.blockedSeconds(level);
    double latency = measured.latencySeconds(level);
    Smoothed recovery = recovery(level);
    return new NonBlockingLevel(
        level.name(),
        failures.perSecond(level),
        stop,
        latency,
        measured.overheadFactor(level),
        recovery.known() ? recovery.value() : stop + latency);
  }
}

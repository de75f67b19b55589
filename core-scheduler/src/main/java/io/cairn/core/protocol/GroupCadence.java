package io.cairn.core.protocol;

import io.cairn.Level;
import io.cairn.core.cadence.AdaptiveCadence;
import io.cairn.core.cadence.CadenceBallot;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.cadence.CadenceSearch;
import io.cairn.core.cadence.Learned;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.cadence.WorkAtRisk;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.protocol.CoordinatorEvent.CadenceFound;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides the cadence of a coordinator's group. It learns from the ranks' measurements, requests a
 * search when a pattern ends, and has the ranks vote on the plan that the search finds. One search
 * or ballot is open at a time; the end of an epoch drops both. Not thread-safe.
 */
final class GroupCadence {
  private static final double SECOND_NANOS = 1e9;

  /** Usually enough for a plan to reach every rank; the ballot covers the other cases. */
  private static final double LEAD_SECONDS = 1;

  private static final long LEAD_ITERATIONS = 2;

  /** The part of one core that searches may take. */
  private static final double SEARCH_SHARE = 0.01;

  private final CadencePlan start;
  private final Map<Level, Double> withinSeconds;
  private final @Nullable AdaptiveCadence adaptive;
  private Optional<CadenceSearch> running = Optional.empty();
  private Optional<CadenceBallot> ballot = Optional.empty();
  private double nextSearchSeconds = Double.NEGATIVE_INFINITY;
  private long patternsDone;

  /** In force before the first iteration of the plan that was adopted last. */
  private CadencePlan previous;

  private WorkAtRisk risk;

  /** A rank's measurement of a checkpoint at STORE that no manifest names yet. */
  private record Uncommitted(int rank, Measurement measured, long heldNanos) {}

  /** The most iterations to remember that wait for their commit; no host queues more commits. */
  static final int MOST_UNCOMMITTED = 64;

  /**
   * By iteration. Each ends with the outcome of its checkpoint, or with the epoch. A report that
   * arrives after the outcome has none, so the oldest are dropped.
   */
  private final NavigableMap<Long, List<Uncommitted>> uncommitted = new TreeMap<>();

  GroupCadence(CadencePolicy policy) {
    this.start = policy.start();
    this.previous = policy.start();
    this.withinSeconds = policy.withinSeconds();
    this.risk = new WorkAtRisk(withinSeconds);
    this.adaptive = policy.adaptive().map(s -> new AdaptiveCadence(s, policy.start())).orElse(null);
  }

  private static double seconds(long nanos) {
    return nanos / SECOND_NANOS;
  }

  /** Begins with the measurements of an earlier coordinator. */
  void begin(Learned learned) {
    if (adaptive != null) {
      adaptive.begin(learned);
    }
  }

  /** A rank restored a checkpoint with these measurements. */
  void recall(Learned learned) {
    if (adaptive != null) {
      adaptive.recall(learned);
    }
  }

  /** The measurements so far; empty if the cadence does not adapt, or nothing was measured. */
  Optional<Learned> learned() {
    return Optional.ofNullable(adaptive).flatMap(AdaptiveCadence::learned);
  }

  /** Drops an open search or ballot, and returns the plan that a new epoch begins with. */
  CadencePlan begin() {
    drop();
    risk = new WorkAtRisk(withinSeconds);
    uncommitted.clear();
    previous = adaptive == null ? start : adaptive.plan().fromTheStart();
    return previous;
  }

  /**
   * Every rank has captured an iteration.
   *
   * @return the levels that it is not due at and has to be sent to, so that work at risk stays
   *     within its bounds
   */
  Set<Level> captured(long nowNanos, long iteration) {
    return risk.captured(iteration, seconds(nowNanos), due(iteration));
  }

  /**
   * An iteration will not be sealed at DEVICE.
   *
   * @return a later iteration, and the levels that it has to go to, so that work at risk stays
   *     within its bounds all the same
   */
  WorkAtRisk.Order missed(long nowNanos, long iteration) {
    return risk.missed(iteration, seconds(nowNanos), due(iteration));
  }

  private Set<Level> due(long iteration) {
    CadencePlan present = plan();
    CadencePlan plan = iteration < present.fromIteration() ? previous : present;
    Set<Level> due = EnumSet.noneOf(Level.class);
    plan.levels().stream().filter(level -> plan.due(level, iteration)).forEach(due::add);
    return due;
  }

  /** A checkpoint was sealed at a level, or will not be. */
  void settled(long nowNanos, long iteration, Level level, boolean sealed) {
    risk.settled(iteration, level, sealed, seconds(nowNanos));
    List<Uncommitted> held =
        LevelSpec.of(level).isCommitted() ? uncommitted.remove(iteration) : null;
    if (adaptive != null && held != null && sealed) {
      held.forEach(
          one ->
              adaptive.measured(
                  one.rank(), level, one.measured().later(nowNanos - one.heldNanos())));
    }
  }

  private CadencePlan plan() {
    return adaptive == null ? start : adaptive.plan();
  }

  /** The number of iterations that wait for their commit. */
  int uncommitted() {
    return uncommitted.size();
  }

  /** The group resumed; see {@link AdaptiveCadence#resumed}. */
  void resumed(long nowNanos, long iteration, Optional<Level> from, long recoveryNanos) {
    if (adaptive != null) {
      adaptive.resumed(seconds(nowNanos), iteration, from, seconds(recoveryNanos));
      patternsDone = patterns(iteration);
    }
  }

  /** A rank holds a checkpoint. At STORE it counts from its commit on, so that is measured, too. */
  void held(long nowNanos, MemberMessage.Held held) {
    if (adaptive == null) {
      return;
    }
    if (LevelSpec.of(held.level()).isCommitted()) {
      uncommitted
          .computeIfAbsent(held.iteration(), i -> new ArrayList<>())
          .add(new Uncommitted(held.rank(), held.measured(), nowNanos));
      if (uncommitted.size() > MOST_UNCOMMITTED) {
        uncommitted.pollFirstEntry();
      }
    } else {
      adaptive.measured(held.rank(), held.level(), held.measured());
    }
  }

  /**
   * Every rank has computed an iteration.
   *
   * @return whether a pattern ended with it
   */
  boolean progressed(long nowNanos, long iteration) {
    if (adaptive == null) {
      return false;
    }
    adaptive.progressed(seconds(nowNanos), iteration);
    long done = patterns(iteration);
    boolean ended = done > patternsDone;
    patternsDone = Math.max(done, patternsDone);
    return ended;
  }

  private long patterns(long iteration) {
    CadencePlan plan = plan();
    return Math.floorDiv(iteration - plan.fromIteration(), plan.patternIterations());
  }

  /** A pattern ended: returns the search to run, unless it could find nothing new. */
  Optional<CadenceSearch> search(long nowNanos) {
    if (adaptive == null
        || running.isPresent()
        || ballot.isPresent()
        || seconds(nowNanos) < nextSearchSeconds) {
      return Optional.empty();
    }
    running = adaptive.patternEnded();
    return running;
  }

  /** A search ended: returns the plan that these ranks are to vote on, if it found a better one. */
  Optional<CadencePlan> found(long nowNanos, CadenceFound answer, Set<Integer> ranks) {
    nextSearchSeconds = seconds(nowNanos) + seconds(answer.tookNanos()) / SEARCH_SHARE;
    if (adaptive == null || running.filter(asked -> asked == answer.search()).isEmpty()) {
      return Optional.empty();
    }
    running = Optional.empty();
    double iterationSeconds = adaptive.iterationSeconds();
    long lead = LEAD_ITERATIONS + (long) Math.ceil(LEAD_SECONDS / iterationSeconds);
    Optional<CadencePlan> plan = adaptive.found(answer.found(), lead);
    ballot = plan.map(next -> new CadenceBallot(next, ranks));
    return plan;
  }

  /** Takes a rank's vote; returns whether the plan is adopted, if this vote decided it. */
  Optional<Boolean> voted(int rank, long version, boolean inTime) {
    Optional<CadenceBallot> asked = ballot;
    Optional<Boolean> decided = asked.flatMap(open -> open.answered(rank, version, inTime));
    if (adaptive != null && asked.isPresent() && decided.isPresent()) {
      if (decided.get()) {
        ballot = Optional.empty();
        previous = adaptive.plan();
        adaptive.adopted(asked.get().plan());
        patternsDone = -1;
      } else {
        drop();
      }
    }
    return decided;
  }

  /** A rank left, which ends an open ballot undecided; returns the version of its plan. */
  Optional<Long> withdraw() {
    Optional<Long> version = ballot.map(open -> open.plan().version());
    drop();
    return version;
  }

  private void drop() {
    if (adaptive != null && (running.isPresent() || ballot.isPresent())) {
      adaptive.withdrawn();
    }
    running = Optional.empty();
    ballot = Optional.empty();
  }

  /** Predicted and achieved waste; empty if the cadence does not adapt. */
  Optional<CadenceReport> report() {
    return Optional.ofNullable(adaptive).map(AdaptiveCadence::report);
  }
}

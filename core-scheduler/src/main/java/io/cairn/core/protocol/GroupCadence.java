package io.cairn.core.protocol;

import io.cairn.core.cadence.AdaptiveCadence;
import io.cairn.core.cadence.CadenceBallot;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.cadence.CadenceSearch;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.CoordinatorEvent.CadenceFound;
import java.util.Optional;
import java.util.Set;
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
  private final @Nullable AdaptiveCadence adaptive;
  private Optional<CadenceSearch> running = Optional.empty();
  private Optional<CadenceBallot> ballot = Optional.empty();
  private double nextSearchSeconds = Double.NEGATIVE_INFINITY;
  private long patternsDone;

  GroupCadence(CadencePolicy policy) {
    this.start = policy.start();
    this.adaptive = policy.adaptive().map(s -> new AdaptiveCadence(s, policy.start())).orElse(null);
  }

  private static double seconds(long nanos) {
    return nanos / SECOND_NANOS;
  }

  /** Drops an open search or ballot, and returns the plan that a new epoch begins with. */
  CadencePlan begin() {
    drop();
    return adaptive == null ? start : adaptive.plan().fromTheStart();
  }

  /** The group resumed; see {@link AdaptiveCadence#resumed}. */
  void resumed(long nowNanos, long iteration, Optional<Level> from, long recoveryNanos) {
    if (adaptive != null) {
      adaptive.resumed(seconds(nowNanos), iteration, from, seconds(recoveryNanos));
      patternsDone = patterns(iteration);
    }
  }

  void measured(int rank, Level level, Measurement measurement) {
    if (adaptive != null) {
      adaptive.measured(rank, level, measurement);
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
    CadencePlan plan = adaptive == null ? start : adaptive.plan();
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

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
 * A coordinator's part that decides its group's cadence: learns from what ranks measured, has
 * searches run at pattern ends, and puts what they find to the ranks. One search or ballot at a
 * time; what belongs to an epoch that ended is dropped. Not thread-safe.
 */
final class GroupCadence {
  private static final double SECOND_NANOS = 1e9;

  /** A plan has reached every rank by then, but for bad luck, for which there is the ballot. */
  private static final double LEAD_SECONDS = 1;

  private static final long LEAD_ITERATIONS = 2;

  /** Searching may take this part of one core. */
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

  /** What a new epoch begins with; nothing that was open in the old one counts. */
  CadencePlan begin() {
    drop();
    return adaptive == null ? start : adaptive.plan().fromTheStart();
  }

  /** The group goes on, as {@link AdaptiveCadence#resumed} says. */
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
   * Every rank has done an iteration.
   *
   * @return whether a pattern ended by it
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

  /** A pattern ended: the search that is to be run, if there is anything new to be found. */
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

  /** A search ended: the plan that is to be put to these ranks, if it found a better one. */
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

  /** Takes a rank's answer; whether the plan is adopted, if that decided it. */
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

  /** A rank left: what is put to the ranks cannot be decided; its version, to be told to them. */
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

  /** What it promises and kept; empty if it does not adapt. */
  Optional<CadenceReport> report() {
    return Optional.ofNullable(adaptive).map(AdaptiveCadence::report);
  }
}

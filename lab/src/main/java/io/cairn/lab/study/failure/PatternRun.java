package io.cairn.lab.study.failure;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Simulates one run after another: the loop over stages, and what a failure does to it. Allocates
 * nothing per event. Not thread-safe.
 */
final class PatternRun {
  /** A job that failures strike this often before it completes one more stage never will. */
  private static final long MOST_FAILURES = 10_000_000;

  private final Timetable timetable;
  private final SimulationRules rules;
  private final double[] recoverySeconds;
  private final int[] indexOfFailure;
  private final FailureStream failures;
  private final Checkpoints checkpoints;
  private final Tally tally;

  private double nowSeconds;
  private long position;
  private int stage;
  private long furthest;
  private long struck;

  PatternRun(
      SimulatedPattern pattern,
      Timetable timetable,
      SimulationRules rules,
      FailureSource source,
      @Nullable UndisturbedClock undisturbed,
      Tally tally) {
    this.timetable = timetable;
    this.rules = rules;
    this.tally = tally;
    recoverySeconds =
        pattern.levels().stream().mapToDouble(SimulatedLevel::recoverySeconds).toArray();
    indexOfFailure = new int[source.levels() + 1];
    for (int level = 1; level < indexOfFailure.length; level++) {
      indexOfFailure[level] = pattern.indexSurviving(level);
    }
    failures = FailureStream.of(source);
    checkpoints = new Checkpoints(pattern, undisturbed);
  }

  /**
   * Completes a number of stages from where another run ended.
   *
   * @return how long it took, in seconds
   * @throws IllegalArgumentException if failures keep it from ever getting there
   */
  double simulate(Start start, SplittableRandom random, long stages) {
    failures.startRun(random);
    begin(start);
    while (position < stages) {
      double endSeconds = nowSeconds + stageSeconds();
      if (failures.nextSeconds >= endSeconds) {
        nowSeconds = endSeconds;
        completeStage();
      } else if (failures.nextSeconds >= nowSeconds && timetable.exposed[stage]) {
        fail();
      } else {
        failures.advance();
      }
    }
    return nowSeconds;
  }

  /** When each stage of a pattern ends that begins where another run ended, without failures. */
  double[] undisturbed(Start start) {
    begin(start);
    double[] endSeconds = new double[timetable.stages()];
    for (int i = 0; i < endSeconds.length; i++) {
      nowSeconds += stageSeconds();
      endSeconds[i] = nowSeconds;
      completeStage();
    }
    return endSeconds;
  }

  private void begin(Start start) {
    checkpoints.startAfter(start.checkpoints(), start.nowSeconds(), start.position());
    nowSeconds = 0;
    position = 0;
    stage = 0;
    furthest = -1;
  }

  private double stageSeconds() {
    return checkpoints.stretched(timetable.workSeconds[stage], nowSeconds)
        + timetable.checkpointSeconds[stage];
  }

  private void completeStage() {
    position++;
    tally.events += timetable.events[stage];
    checkpoints.completeStage(nowSeconds, position);
    if (timetable.chainFrom[stage] > 0) {
      checkpoints.sameStateAsBefore(position);
    }
    for (int level = timetable.chainFrom[stage]; level < timetable.chainTo[stage]; level++) {
      if (!checkpoints.take(level, nowSeconds, position)) {
        tally.skippedFlushes++;
      }
    }
    stage = stage + 1 == timetable.stages() ? 0 : stage + 1;
  }

  /** Goes from the failure that strikes now to the end of the recovery that succeeds. */
  private void fail() {
    if (position > furthest) {
      furthest = position;
      struck = 0;
    }
    int recovering = -1;
    double endSeconds;
    do {
      nowSeconds = failures.nextSeconds;
      int level = indexOfFailure[failures.nextLevel];
      recovering = recovering < 0 ? level : escalated(recovering, level);
      failures.advance();
      checkpoints.settle(nowSeconds);
      position = checkpoints.fallBack(recovering, nowSeconds);
      count(recovering);
      endSeconds = recover(recovering);
    } while (failures.nextSeconds < endSeconds && rules.exposure().ofRecovery());
    nowSeconds = endSeconds;
    stage = Math.floorMod(position, timetable.stages());
  }

  /** When the recovery that begins now ends, unless a failure ends it before. */
  private double recover(int level) {
    double endSeconds = nowSeconds + recoverySeconds[level];
    double spentUntil =
        rules.exposure().ofRecovery() ? Math.min(endSeconds, failures.nextSeconds) : endSeconds;
    checkpoints.spendOnRecovery(spentUntil - nowSeconds);
    return endSeconds;
  }

  private int escalated(int recovering, int level) {
    return rules.escalation().next(recovering, level, recoverySeconds.length - 1);
  }

  private void count(int level) {
    tally.rollbacks[level]++;
    tally.events++;
    if (++struck > MOST_FAILURES) {
      throw new IllegalArgumentException(
          "the pattern does not end: "
              + MOST_FAILURES
              + " failures struck without progress; checkpoints or recoveries take too long"
              + " for failures this frequent");
    }
  }

  /** The end of a run, for others to start from. */
  record Start(Checkpoints checkpoints, double nowSeconds, long position) {}

  Start end() {
    return new Start(checkpoints, nowSeconds, position);
  }
}

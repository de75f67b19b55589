package io.cairn.lab.study.pattern;

/**
 * The expected time of a pattern, segment by segment from the definition: the reference for {@link
 * ExactTime}, which sums in closed form. After a failure of level ℓ everything since the last
 * checkpoint of level ≥ ℓ is run again; what follows a failure in a recovery is solved from the
 * highest level down.
 */
final class PatternWalk {
  private final LevelStack levels;
  private final FailureModel failures;
  private final double[] recoveries;
  private final double rate;

  /** The expected time since the last checkpoint of each level or above. */
  private final double[] since;

  private double total;

  PatternWalk(LevelStack levels, FailureModel failures, RecoveryCost recovery) {
    this.levels = levels;
    this.failures = failures;
    rate = levels.failuresPerSecond();
    since = new double[levels.size()];
    recoveries = new double[levels.size()];
    double sum = 0;
    for (int i = 0; i < recoveries.length; i++) {
      sum += levels.level(i + 1).recoverySeconds();
      recoveries[i] = recovery == RecoveryCost.OWN ? levels.level(i + 1).recoverySeconds() : sum;
    }
  }

  double expectedSeconds(int[] counts, double length) {
    CheckpointPattern pattern = new CheckpointPattern(levels.all(), Platforms.list(counts), length);
    for (int segment = 1; segment <= pattern.segments(); segment++) {
      int top = pattern.levelAfter(segment);
      double work = pattern.segmentSeconds();
      switch (failures) {
        case COMPUTATION_ONLY -> pass(stage(work) + chain(top), top);
        case ATOMIC_CHAIN_EXCEPT_RECOVERY -> pass(stage(work + chain(top)), top);
        case EVERYWHERE -> {
          pass(stage(work + cost(1)), 1);
          for (int level = 2; level <= top; level++) {
            pass(stage(cost(level)), level);
          }
        }
      }
    }
    return total;
  }

  private double cost(int level) {
    return levels.level(level).checkpointSeconds();
  }

  private double chain(int top) {
    double sum = 0;
    for (int level = 1; level <= top; level++) {
      sum += cost(level);
    }
    return sum;
  }

  private void pass(double seconds, int completed) {
    total += seconds;
    for (int i = 0; i < since.length; i++) {
      since[i] = i < completed ? 0 : since[i] + seconds;
    }
  }

  private double stage(double duration) {
    double failure = 0;
    double[] until = new double[since.length];
    for (int level = since.length - 1; level >= 0; level--) {
      until[level] = recoveries[level] + since[level];
      if (failures == FailureModel.EVERYWHERE) {
        until[level] = struck(level, until);
      }
      failure += share(level) * until[level];
    }
    return Math.expm1(rate * duration) * (1 / rate + failure);
  }

  /** From a failure until all is as before, if recoveries fail, too. */
  private double struck(int level, double[] until) {
    double safe = Math.exp(-rate * recoveries[level]);
    double higher = 0;
    double lower = 0;
    for (int other = 0; other < since.length; other++) {
      higher += other > level ? share(other) * until[other] : 0;
      lower += other <= level ? share(other) : 0;
    }
    return (safe * since[level] + (1 - safe) / rate + (1 - safe) * higher)
        / (1 - (1 - safe) * lower);
  }

  private double share(int level) {
    return levels.level(level + 1).failuresPerSecond() / rate;
  }
}

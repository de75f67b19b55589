package io.cairn.lab.study.failure;

import java.util.SplittableRandom;

/** Draws each level's next failure and shows the earliest; O(levels) per failure. */
final class WeibullStream extends FailureStream {
  private final double[] scaleSeconds;
  private final double[] inverseShape;
  private final double[] nextOfLevel;
  private SplittableRandom random = new SplittableRandom(0);

  WeibullStream(WeibullFailures source) {
    int levels = source.levels();
    scaleSeconds = new double[levels];
    inverseShape = new double[levels];
    nextOfLevel = new double[levels];
    for (int i = 0; i < levels; i++) {
      scaleSeconds[i] = source.distributions().get(i).scaleSeconds();
      inverseShape[i] = 1 / source.distributions().get(i).shape();
    }
  }

  @Override
  void startRun(SplittableRandom random) {
    this.random = random;
    for (int i = 0; i < nextOfLevel.length; i++) {
      nextOfLevel[i] = interval(i);
    }
    showEarliest();
  }

  @Override
  void advance() {
    nextOfLevel[nextLevel - 1] += interval(nextLevel - 1);
    showEarliest();
  }

  /** A power of an exponential draw has a Weibull distribution. */
  private double interval(int index) {
    return scaleSeconds[index] * Math.pow(random.nextExponential(), inverseShape[index]);
  }

  private void showEarliest() {
    int earliest = 0;
    for (int i = 1; i < nextOfLevel.length; i++) {
      earliest = nextOfLevel[i] < nextOfLevel[earliest] ? i : earliest;
    }
    nextSeconds = nextOfLevel[earliest];
    nextLevel = earliest + 1;
  }
}

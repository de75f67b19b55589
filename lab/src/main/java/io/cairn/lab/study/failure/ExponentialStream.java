package io.cairn.lab.study.failure;

import java.util.SplittableRandom;

/**
 * Draws from the superposition of the levels' Poisson processes, which is a Poisson process of the
 * summed rate whose failures choose their level independently: one exponential and one uniform draw
 * per failure, whatever the number of levels.
 */
final class ExponentialStream extends FailureStream {
  private final double meanSeconds;
  private final double[] levelAtMost;
  private SplittableRandom random = new SplittableRandom(0);

  ExponentialStream(ExponentialFailures source) {
    meanSeconds = 1 / source.totalPerSecond();
    levelAtMost = new double[source.levels()];
    double sum = 0;
    for (int i = 0; i < levelAtMost.length; i++) {
      sum += source.ratesPerSecond().get(i);
      levelAtMost[i] = sum / source.totalPerSecond();
    }
  }

  @Override
  void startRun(SplittableRandom random) {
    this.random = random;
    nextSeconds = 0;
    advance();
  }

  @Override
  void advance() {
    nextSeconds += random.nextExponential() * meanSeconds;
    double u = random.nextDouble();
    int level = 1;
    while (level < levelAtMost.length && u >= levelAtMost[level - 1]) {
      level++;
    }
    nextLevel = level;
  }
}

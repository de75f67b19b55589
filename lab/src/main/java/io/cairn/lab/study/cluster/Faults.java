package io.cairn.lab.study.cluster;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** How bad the days of one seed are, and which faults came. */
final class Faults {
  private final SplittableRandom random;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final double badness;
  private boolean healed;

  Faults(SplittableRandom random) {
    this.random = random;
    this.badness = random.nextInt(4) / 3.0;
  }

  /** From now on nothing fails. */
  void heal() {
    healed = true;
  }

  boolean healed() {
    return healed;
  }

  /** The probability of a fault in a call of a store. */
  double storeFault() {
    return healed ? 0 : 0.02 * badness;
  }

  /** The probability that a message is lost. */
  double lostMessage() {
    return healed ? 0 : 0.03 * badness;
  }

  /** The probability that a push fails; also on good days, since no training depends on it. */
  double brokenPush() {
    return 0.1 * badness;
  }

  boolean strikes(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  void count(String fault) {
    counts.merge(fault, 1, Integer::sum);
  }

  Map<String, Integer> counts() {
    return counts;
  }
}

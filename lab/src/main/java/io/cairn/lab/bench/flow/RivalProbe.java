package io.cairn.lab.bench.flow;

import io.cairn.core.flow.FlowProblem;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/**
 * Tries one rival at one size, in a JVM that can be ended when it takes too long. Says {@link
 * #READY} once all is prepared, then solves instance after instance while there is time, and holds
 * each optimum against ours.
 */
final class RivalProbe {
  /** Printed alone on a line before the first solve. */
  static final String READY = "ready";

  /** Printed before the seconds of the fastest solve. */
  static final String FASTEST = "fastest ";

  /** How far a rival's optimum may be from ours, relative to ours. */
  static final double TOLERANCE = 1e-6;

  private static final double ENOUGH_SECONDS = 1;

  private RivalProbe() {}

  /**
   * Run by {@link Probe}.
   *
   * @param arguments the {@link Rival}, and the number of devices
   */
  public static void main(String[] arguments) {
    Rival rival = Rival.valueOf(arguments[0]);
    int devices = Integer.parseInt(arguments[1]);
    FlowProblem[] problems = Instances.dense(devices);
    DoubleSupplier solver = rival.on(problems[0]);
    System.out.println(READY);
    System.out.flush();
    double fastest = Double.POSITIVE_INFINITY;
    long begin = System.nanoTime();
    for (int index = 0; index < problems.length && secondsSince(begin) < ENOUGH_SECONDS; index++) {
      DoubleSupplier each = index == 0 ? solver : rival.on(problems[index]);
      long start = System.nanoTime();
      double found = each.getAsDouble();
      double seconds = secondsSince(start);
      require(rival, devices, index, found, rival.expectedSeconds(problems[index]));
      fastest = Math.min(fastest, seconds);
    }
    System.out.println(FASTEST + fastest);
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  /** Throws unless the two are equal up to {@link #TOLERANCE}. */
  static void require(Rival rival, int devices, int index, double found, double expected) {
    if (!(Math.abs(found - expected) <= TOLERANCE * expected)) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "instance %d of %d devices takes %s s by %s, and %s s by ours",
              index,
              devices,
              found,
              rival.title(),
              expected));
    }
  }
}

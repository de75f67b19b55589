package io.cairn.lab.study.chart;

import io.cairn.cli.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** Times on axes: a unit for all of them, and ticks at round ones. */
public final class TimeAxis {
  private static final double[] STEPS = {
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400
  };

  private TimeAxis() {}

  /**
   * The unit in which these times are shown best; an axis then has its name.
   *
   * @param seconds the times, not empty
   */
  public static Unit unit(double[] seconds) {
    double middle = Math.sqrt(min(seconds) * max(seconds));
    if (middle < 120) {
      return Unit.SECONDS;
    }
    if (middle < 7200) {
      return Unit.MINUTES;
    }
    return middle < 4 * 86400 ? Unit.HOURS : Unit.DAYS;
  }

  /** A unit of time. */
  public enum Unit {
    /** Seconds. */
    SECONDS("s", 1),
    /** Minutes. */
    MINUTES("min", 60),
    /** Hours. */
    HOURS("h", 3600),
    /** Days. */
    DAYS("days", 86400);

    private final String symbol;
    private final double seconds;

    Unit(String symbol, double seconds) {
      this.symbol = symbol;
      this.seconds = seconds;
    }

    /** As it stands behind a number. */
    public String symbol() {
      return symbol;
    }

    /** Times in this unit. */
    public double[] of(double[] times) {
      return DoubleStream.of(times).map(time -> time / seconds).toArray();
    }
  }

  /**
   * Round times from 0 to {@code seconds}, in seconds.
   *
   * @param most how many there may be
   */
  public static List<Double> ticks(double seconds, int most) {
    double step = step(seconds / most);
    List<Double> ticks = new ArrayList<>();
    for (int tick = 0; tick * step <= seconds * (1 + 1e-9); tick++) {
      ticks.add(tick * step);
    }
    return ticks;
  }

  private static double step(double least) {
    if (least >= 1) {
      for (double step : STEPS) {
        if (step >= least) {
          return step;
        }
      }
    }
    double unit = least < 1 ? 1 : 86400;
    double power = Math.pow(10, Math.floor(Math.log10(least / unit)));
    for (double digit : new double[] {1, 2, 5}) {
      if (digit * power * unit >= least) {
        return digit * power * unit;
      }
    }
    return 10 * power * unit;
  }

  /** A tick's label. */
  public static String label(double seconds) {
    return seconds == 0 ? "0" : Units.seconds(seconds);
  }

  private static double min(double[] of) {
    return DoubleStream.of(of).min().orElseThrow();
  }

  private static double max(double[] of) {
    return DoubleStream.of(of).max().orElseThrow();
  }
}

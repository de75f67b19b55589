package io.cairn.lab.bench.pattern;

import io.cairn.cli.Table;
import io.cairn.lab.measure.MeasuredMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The findings of {@code bench pattern}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param jvmArguments of each measured JVM
 * @param quick whether the run was too short to rely on
 */
record PatternMeasurements(
    String date,
    MeasuredMachine machine,
    List<String> jvmArguments,
    boolean quick,
    List<Timed> timed,
    List<Simulated> simulated) {

  /**
   * Something that takes time.
   *
   * @param micros mean per call
   * @param errorMicros half of the 99.9 % confidence interval; null from too few samples
   * @param barMicros what it must not exceed
   */
  record Timed(
      String what,
      FourLevels platform,
      String failures,
      double micros,
      @Nullable Double errorMicros,
      double barMicros) {
    boolean met() {
      return micros <= barMicros;
    }
  }

  /**
   * A simulation on one thread.
   *
   * @param eventsPerSecond segments, checkpoints and failures
   * @param barEventsPerSecond what it must reach
   */
  record Simulated(
      FourLevels platform, String failures, double eventsPerSecond, double barEventsPerSecond) {
    boolean met() {
      return eventsPerSecond >= barEventsPerSecond;
    }
  }

  PatternMeasurements {
    jvmArguments = List.copyOf(jvmArguments);
    timed = List.copyOf(timed);
    simulated = List.copyOf(simulated);
  }

  /** Whether every bar is met, or the run was too short to judge. */
  boolean passed() {
    return quick
        || (timed.stream().allMatch(Timed::met) && simulated.stream().allMatch(Simulated::met));
  }

  /** Tables in plain text. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(machine.toString());
    lines.add(date + ", each in a JVM with " + String.join(" ", jvmArguments));
    lines.add("");
    Table times = new Table("what", "platform", "failures", ">µs", ">±", ">bar", "met");
    for (Timed each : timed) {
      times.row(
          each.what(),
          each.platform(),
          each.failures(),
          micros(each.micros()),
          each.errorMicros() == null ? "" : micros(each.errorMicros()),
          micros(each.barMicros()),
          each.met() ? "met" : "NOT MET");
    }
    lines.addAll(times.lines());
    lines.add("");
    Table events = new Table("simulation", "failures", ">million events/s", ">bar", "met");
    for (Simulated each : simulated) {
      events.row(
          each.platform(),
          each.failures(),
          millions(each.eventsPerSecond()),
          millions(each.barEventsPerSecond()),
          each.met() ? "met" : "NOT MET");
    }
    lines.addAll(events.lines());
    if (quick) {
      lines.addAll(List.of("", "A quick run: too short to rely on, and held against no bar."));
    }
    return lines;
  }

  private static String micros(double micros) {
    return String.format(Locale.ROOT, micros < 10 ? "%.3f" : "%.0f", micros);
  }

  private static String millions(double events) {
    return String.format(Locale.ROOT, "%.1f", events / 1e6);
  }
}

package io.cairn.lab.bench.flow;

import io.cairn.lab.measure.MeasuredMachine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The findings of {@code bench flow}; its JSON is these records. Times are means per call over all
 * instances, in microseconds.
 *
 * @param date when, in UTC
 * @param jvmArguments of each JVM that measures ours
 * @param rivalJvmArguments of each that measures a rival
 * @param quick whether the run was too short to rely on
 */
record FlowReport(
    String date,
    MeasuredMachine machine,
    List<String> jvmArguments,
    List<String> rivalJvmArguments,
    boolean quick,
    List<Measured> measured,
    List<Beside> rivals,
    List<Allocation> allocations) {

  /**
   * One of ours, or the floor.
   *
   * @param network the node's network rate in GB/s; null without a network
   * @param errorMicros half of the 99.9 % confidence interval; null from too few samples
   * @param slowestMicros the instance that takes longest; null if it was not looked for
   * @param timesFloor how many times the floor of the same size; null without a floor
   * @param barMicros what it must not exceed; null without a bar
   */
  record Measured(
      Kind kind,
      int devices,
      @Nullable Double network,
      double micros,
      @Nullable Double errorMicros,
      @Nullable Double slowestMicros,
      @Nullable Double timesFloor,
      @Nullable Double barMicros) {
    /** Whether there is no bar, or it is kept to. */
    boolean met() {
      return barMicros == null || micros <= barMicros;
    }
  }

  /**
   * A rival at one size.
   *
   * @param micros null where it is not measured
   * @param oursMicros our exact scheduler on the same instances, in bytes or chunks as the rival
   * @param ratio the rival's time ÷ ours; null where the rival has none
   * @param why it is not measured; null if it is
   */
  record Beside(
      String rival,
      int devices,
      @Nullable Double micros,
      double oursMicros,
      @Nullable Double ratio,
      @Nullable String why) {
    static Beside of(
        Rival rival, int devices, @Nullable Double micros, double ours, @Nullable String why) {
      Double ratio = micros == null ? null : micros / ours;
      return new Beside(rival.title(), devices, micros, ours, ratio, why);
    }

    /** Whether ours is the faster one. */
    boolean ahead() {
      return ratio == null || ratio > 1;
    }
  }

  /**
   * The allocation of a solve.
   *
   * @param allocatedBytes per solve, by JMH's GC profiler
   * @param planBytes of the plan and certificate that it returns, by the sizes of their arrays
   */
  record Allocation(int devices, double allocatedBytes, double planBytes) {}

  FlowReport {
    jvmArguments = List.copyOf(jvmArguments);
    rivalJvmArguments = List.copyOf(rivalJvmArguments);
    measured = List.copyOf(measured);
    rivals = List.copyOf(rivals);
    allocations = List.copyOf(allocations);
  }

  /** Whether every bar is met and every rival slower, or the run was too short to judge. */
  boolean passed() {
    boolean met = measured.stream().allMatch(Measured::met);
    return quick || (met && rivals.stream().allMatch(Beside::ahead));
  }
}

package io.cairn.spark.metrics;

import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.goodput.Cause;
import io.cairn.core.model.LevelSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every metric. The names do not depend on past events. */
public final class KnownMetrics {
  private static final String CHECKPOINTS = "checkpoints";
  private static final String BYTES = "bytes";
  private static final String FRACTION = "fraction";
  private static final String GROUPS = "groups";

  /** Of each process with ranks. */
  static final String ETTR = "goodput.ettr";

  /** Of each process; one that switched Cairn off has only this one. */
  static final Metric FAILURES =
      new Metric("failures", "failures", "of Cairn's threads and parts, which end no process");

  /** Of each process with ranks; they rise from its start on. */
  static final List<Metric> COUNTERS =
      List.of(
          new Metric("captures", CHECKPOINTS, "captured at DEVICE or past it"),
          new Metric("captured.bytes", BYTES, "of regions that were captured"),
          new Metric("blocked.nanos", "ns", "that trainings waited for captures"),
          new Metric("device.evictions", CHECKPOINTS, "evicted from the device cache"),
          new Metric("device.thinned", CHECKPOINTS, "asked for and not taken: captures cost much"),
          new Metric("device.givenUp.bytes", BYTES, "that the cache gave back to the device"),
          new Metric("device.withdrawals", CHECKPOINTS, "that DEVICE lost after their capture"),
          new Metric("device.fallbacks", "ranks", "that found no room at DEVICE and went past it"),
          new Metric("hangs", "reports", "of captures, agreements and flushes that last"),
          new Metric("lent.flushed.bytes", BYTES, "written to NODE by lenders"),
          new Metric("node.state.bytes", BYTES, "of state in checkpoints at NODE"),
          new Metric("node.written.bytes", BYTES, "of files written for it"),
          new Metric("node.read.bytes", BYTES, "read from nodes of other machines"),
          new Metric("node.served.bytes", BYTES, "served to other machines"),
          new Metric("node.quarantined", "copies", "at NODE that were bad and set aside"),
          new Metric("node.repaired", "copies", "at NODE that were written again"),
          new Metric("node.unrepaired", "copies", "at NODE that could not be written again"),
          new Metric("peer.kept.bytes", BYTES, "kept for other machines"),
          new Metric("staged.bytes", BYTES, "written to STORE for other processes"),
          new Metric("store.state.bytes", BYTES, "of state in checkpoints at STORE"),
          new Metric("store.written.bytes", BYTES, "of files written for it"));

  /** The levels of all processes whose newest checkpoint can have a bound. */
  static final List<Level> BOUNDED =
      LevelSpec.ALL.stream()
          .filter(spec -> spec.always() && spec.within().isPresent())
          .map(LevelSpec::level)
          .toList();

  /** Of each process that decides a cadence: the driver, and executors with groups of one rank. */
  static final List<Metric> REPORTS =
      join(
          List.of(
              List.of(
                  new Metric("waste.predicted", FRACTION, "of run time, for the periods in force"),
                  new Metric("waste.achieved", FRACTION, "of run time, so far")),
              BOUNDED.stream()
                  .map(
                      level ->
                          new Metric(
                              bindsName(level),
                              GROUPS,
                              "whose period at " + level + " is bounded by time"))
                  .toList()));

  /** Of a driver with executors in other processes. */
  static final Metric TAKEOVERS =
      new Metric("standby.takeovers", "ranks", "that a task took over from another one");

  /** Of such a driver. */
  static final Metric STANDBYS_WAITING =
      new Metric("standby.waiting", "tasks", "that wait to take a rank over");

  /** Of each process with ranks, as it is now; the driver shows the ranks' sum, and the longest. */
  static final List<Metric> NOW =
      join(
          List.of(
              List.of(new Metric("ranks", "ranks", "that run")),
              LevelSpec.ALL.stream()
                  .filter(LevelSpec::isBelowDevice)
                  .map(spec -> waiting(spec.level()))
                  .toList()));

  /** Of a driver. */
  static final Metric LOST =
      new Metric("ranks.lost", "ranks", "whose process is gone, and that run in no other one");

  /** Absent in local mode, where the process has the metrics of an executor. */
  public static final List<Metric> OF_DRIVERS = List.of(TAKEOVERS, STANDBYS_WAITING, LOST);

  /** Counters of events, as {@code Counters} names them. */
  static final List<Metric> COUNTED = counted();

  /** The driver adds these up over all processes: the counters, then the times of all causes. */
  static final List<Metric> SUMS = join(List.of(COUNTED, times()));

  /** In this order, every metric of every process. */
  public static final List<Metric> ALL =
      join(
          List.of(
              COUNTED,
              REPORTS,
              OF_DRIVERS,
              NOW,
              List.of(new Metric(ETTR, FRACTION, "of the ranks' time that counts")),
              times()));

  private KnownMetrics() {}

  private static List<Metric> counted() {
    List<Metric> counted = new ArrayList<>(COUNTERS);
    counted.add(FAILURES);
    for (Level level : Level.values()) {
      counted.add(outcome(level, Outcome.Sealed.class, "sealed at " + level));
      counted.add(outcome(level, Outcome.Skipped.class, "left out at " + level));
      counted.add(outcome(level, Outcome.Fenced.class, "of attempts that a later one replaced"));
      counted.add(outcome(level, Outcome.Failed.class, "that failed at " + level));
    }
    return List.copyOf(counted);
  }

  private static List<Metric> times() {
    List<Metric> times = new ArrayList<>();
    for (Cause cause : Cause.values()) {
      times.add(new Metric(name(cause), "ns", "of the ranks' time by this cause"));
    }
    return times;
  }

  private static List<Metric> join(List<List<Metric>> parts) {
    List<Metric> all = new ArrayList<>();
    for (List<Metric> part : parts) {
      all.addAll(part);
    }
    return List.copyOf(all);
  }

  private static Metric waiting(Level level) {
    return new Metric(
        waitingName(level), "ns", "that the oldest checkpoint has waited for " + level);
  }

  /** The metric of the oldest checkpoint that waits for a level. */
  static String waitingName(Level level) {
    return level.name().toLowerCase(Locale.ROOT) + ".waiting.nanos";
  }

  /** The metric of the groups whose period at a level is bounded by time. */
  static String bindsName(Level level) {
    return level.name().toLowerCase(Locale.ROOT) + ".within.binds";
  }

  private static Metric outcome(Level level, Class<? extends Outcome> outcome, String meaning) {
    return new Metric(name(level, outcome), CHECKPOINTS, meaning);
  }

  /** The metric of the time that a cause took. */
  static String name(Cause cause) {
    return "goodput." + cause.label() + ".nanos";
  }

  /** The metric that counts a level's outcomes of one kind. */
  static String name(Level level, Class<? extends Outcome> outcome) {
    return (level + "." + outcome.getSimpleName()).toLowerCase(Locale.ROOT);
  }
}

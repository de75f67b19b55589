package io.cairn.engine.coordination;

import io.cairn.Cadence;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.cadence.Learned;
import io.cairn.core.cadence.PeriodBound;
import io.cairn.engine.events.Repeats;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest report of each group whose cadence adapts and is decided by this process. Thread-safe.
 */
public final class CadenceReports {
  private static final Logger LOG = LoggerFactory.getLogger(CadenceReports.class);

  /** In a shorter time, a single slow iteration decides the achieved waste. */
  private static final double MEANINGFUL_SECONDS = 10;

  /** The group whose report is the oldest is forgotten first; thousands of trials need little. */
  static final int MOST_GROUPS = 1_000;

  /** Guarded by itself; in the order of the reports. */
  private final Map<GroupId, CadenceReport> newest = new LinkedHashMap<>();

  private final Repeats repeats;

  /** No group has reported; the clock is {@link System#nanoTime}. */
  public CadenceReports() {
    this(System::nanoTime);
  }

  /**
   * No group has reported.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public CadenceReports(LongSupplier nanoTime) {
    this.repeats = new Repeats(nanoTime);
  }

  /** Stores a report, and logs it where users see it if a new plan was adopted. */
  void report(GroupId group, CadenceReport report, boolean adopted) {
    synchronized (newest) {
      newest.remove(group);
      newest.put(group, report);
      if (newest.size() > MOST_GROUPS) {
        newest.remove(newest.keySet().iterator().next());
      }
    }
    if (adopted) {
      LOG.info("{}: {}", group, describe(report));
      warningOfStall(group, report).ifPresent(LOG::warn);
    } else {
      LOG.debug("{}: {}", group, describe(report));
    }
  }

  /** Plans of short iterations change several times a second, and each has the same trouble. */
  Optional<String> warningOfStall(GroupId group, CadenceReport report) {
    if (report.bounds().get(Level.DEVICE) != PeriodBound.STALL) {
      return Optional.empty();
    }
    return repeats
        .pass(group)
        .map(
            more ->
                String.format(
                    Locale.ROOT,
                    ("%s: not every iteration is captured any more, but one of %d: captures alone"
                        + " would block the training for a longer part of the run time than cadence"
                        + " permits; raise it, such as cadence=adaptive:5%%, to capture all%s"),
                    group,
                    report.plan().periods().get(Level.DEVICE),
                    more));
  }

  private static String describe(CadenceReport report) {
    return String.format(
        Locale.ROOT,
        "from iteration %d %s; waste predicted %s; so far predicted %s, achieved %s in %.0f s",
        report.plan().fromIteration(),
        periods(report),
        percent(report.predicted()),
        percent(report.predictedSoFar()),
        report.seconds() < MEANINGFUL_SECONDS ? "unknown" : percent(report.achievedSoFar()),
        report.seconds());
  }

  /** Such as {@code DEVICE every 1, NODE every 40 (WITHIN)}: the bound that a period reached. */
  private static String periods(CadenceReport report) {
    return report.plan().levels().stream()
        .map(
            level -> {
              PeriodBound bound = report.bounds().getOrDefault(level, PeriodBound.OPTIMUM);
              return level
                  + " every "
                  + report.plan().periods().get(level)
                  + (level == Level.DEVICE && bound == PeriodBound.OPTIMUM
                      ? ""
                      : " (" + bound + ")");
            })
        .collect(Collectors.joining(", "));
  }

  private static String percent(double part) {
    return Double.isNaN(part) ? "unknown" : String.format(Locale.ROOT, "%.2f %%", 100 * part);
  }

  /** The newest report of each group, of the last {@value #MOST_GROUPS} that reported. A copy. */
  public Map<GroupId, CadenceReport> newest() {
    synchronized (newest) {
      return Map.copyOf(newest);
    }
  }

  /** The newest report of a group, as the API has it. */
  public Optional<Cadence> cadence(GroupId group) {
    synchronized (newest) {
      return Optional.ofNullable(newest.get(group)).map(CadenceReports::cadence);
    }
  }

  private static Cadence cadence(CadenceReport report) {
    Map<Level, Cadence.Of> levels = new EnumMap<>(Level.class);
    report
        .plan()
        .periods()
        .forEach((level, every) -> levels.put(level, cadence(report, level, every)));
    return new Cadence(
        report.plan().version(),
        report.plan().fromIteration(),
        levels,
        report.learned().map(Learned::iterationSeconds).orElse(Double.NaN),
        report.predicted(),
        report.predictedSoFar(),
        report.achievedSoFar(),
        report.seconds());
  }

  private static Cadence.Of cadence(CadenceReport report, Level level, long every) {
    PeriodBound bound = report.bounds().get(level);
    Optional<Learned.Cost> cost =
        report.learned().flatMap(known -> Optional.ofNullable(known.costs().get(level)));
    return new Cadence.Of(
        every,
        bound == null ? "" : bound.name().toLowerCase(Locale.ROOT),
        cost.map(Learned.Cost::blockingSeconds).orElse(Double.NaN),
        cost.map(Learned.Cost::flushSeconds).orElse(Double.NaN));
  }

  /** The number of groups whose period at a level reached this bound. */
  public long groupsAt(Level level, PeriodBound bound) {
    return newest().values().stream().filter(report -> report.bounds().get(level) == bound).count();
  }

  /** Predicted waste, a fraction of the run time: the mean of all groups, weighted by time. */
  public double predictedWaste() {
    return mean(CadenceReport::predictedSoFar);
  }

  /** Achieved waste, a fraction of the run time. NaN, like the prediction, while unknown. */
  public double achievedWaste() {
    return mean(CadenceReport::achievedSoFar);
  }

  private double mean(ToDoubleFunction<CadenceReport> part) {
    double seconds = 0;
    double wasted = 0;
    for (CadenceReport report : newest().values()) {
      if (report.seconds() > 0) {
        seconds += report.seconds();
        wasted += report.seconds() * part.applyAsDouble(report);
      }
    }
    return wasted / seconds;
  }
}

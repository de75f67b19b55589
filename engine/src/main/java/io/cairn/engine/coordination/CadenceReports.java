package io.cairn.engine.coordination;

import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.model.GroupId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the cadences that this process decides promise and keep: the newest report of each group
 * whose cadence adapts. Thread-safe.
 */
public final class CadenceReports {
  private static final Logger LOG = LoggerFactory.getLogger(CadenceReports.class);

  private final Map<GroupId, CadenceReport> newest = new ConcurrentHashMap<>();

  /** Takes a report, and tells people of it if a new plan was adopted. */
  void report(GroupId group, CadenceReport report, boolean adopted) {
    newest.put(group, report);
    if (adopted) {
      LOG.info("{}: {}", group, describe(report));
    } else {
      LOG.debug("{}: {}", group, describe(report));
    }
  }

  private static String describe(CadenceReport report) {
    return "from iteration %d every %s; waste predicted %s; so far predicted %s, achieved %s in %.0f s"
        .formatted(
            report.plan().fromIteration(),
            report.plan().periods(),
            percent(report.predicted()),
            percent(report.predictedSoFar()),
            percent(report.achievedSoFar()),
            report.seconds());
  }

  private static String percent(double part) {
    return Double.isNaN(part) ? "unknown" : "%.2f %%".formatted(100 * part);
  }

  /** The newest report of each group. A copy. */
  public Map<GroupId, CadenceReport> newest() {
    return Map.copyOf(newest);
  }

  /** The predicted part of run time that is not work: the mean of all groups over their time. */
  public double predictedWaste() {
    return mean(CadenceReport::predictedSoFar);
  }

  /** The part of run time that was not work. NaN, like the prediction, while nothing is known. */
  public double achievedWaste() {
    return mean(CadenceReport::achievedSoFar);
  }

  private double mean(ToDoubleFunction<CadenceReport> part) {
    double seconds = 0;
    double wasted = 0;
    for (CadenceReport report : newest.values()) {
      if (report.seconds() > 0) {
        seconds += report.seconds();
        wasted += report.seconds() * part.applyAsDouble(report);
      }
    }
    return wasted / seconds;
  }
}

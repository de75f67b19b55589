package io.cairn.core.sharing;

import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.PlanAnswer.Part;
import io.cairn.core.sharing.PlanWindow.Reporter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the desk remembers of one group in its epoch. */
final class SharingGroup {
  final long epoch;

  /** Reports that wait, and in which window. */
  final Map<Reporter, PlanWindow.Key> waiting = new LinkedHashMap<>();

  private final Map<Integer, Part> parts = new HashMap<>();
  private long planned = -1;

  SharingGroup(long epoch) {
    this.epoch = epoch;
  }

  /**
   * Where a report is collected: where it waits if it comes again, with its group, or, when that is
   * planned already, alone.
   */
  PlanWindow.Key window(Report report) {
    PlanWindow.@Nullable Key known = waiting.get(Reporter.of(report));
    if (known != null) {
      return known;
    }
    return report.iteration() <= planned ? PlanWindow.Key.alone(report) : PlanWindow.Key.of(report);
  }

  /** What a report that comes again was answered with, so long as no later one was planned. */
  Optional<Part> answerTo(Report report) {
    return Optional.ofNullable(parts.get(report.member().rank()))
        .filter(part -> part.checkpoint().equals(report.checkpoint()))
        .filter(part -> chunks(part) == report.remainderChunks());
  }

  private static int chunks(Part part) {
    return part.hostChunks()
        + part.leases().stream().mapToInt(PlanAnswer.PlannedLease::chunks).sum();
  }

  void answered(Report report, Part part) {
    waiting.remove(Reporter.of(report));
    if (report.iteration() > planned) {
      planned = report.iteration();
      parts.clear();
    }
    if (report.iteration() == planned) {
      parts.put(report.member().rank(), part);
    }
  }
}

package io.cairn.core.sharing;

import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.PlanAnswer.Part;
import io.cairn.core.sharing.PlanWindow.Reporter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The desk's record of one group in its current epoch. */
final class SharingGroup {
  final long epoch;

  /** How long the group's first report of a checkpoint waits for its last. */
  final Patience patience;

  /** Open reports, with their windows. */
  final Map<Reporter, PlanWindow.Key> waiting = new LinkedHashMap<>();

  private final Map<Integer, Part> parts = new HashMap<>();
  private long planned = -1;

  /** When the window of the planned checkpoint was opened. */
  private long openedNanos;

  SharingGroup(long epoch, Patience patience) {
    this.epoch = epoch;
    this.patience = patience;
  }

  /** Measures the delay of a report that comes after its group was planned. */
  void late(Report report, long nowNanos) {
    boolean isFirst = !waiting.containsKey(Reporter.of(report));
    if (report.member().size() > 1 && report.iteration() == planned && isFirst) {
      patience.took(nowNanos - openedNanos);
    }
  }

  /**
   * The window of a report: for a repetition the same one, else that of its group. If the group is
   * planned already, the window of independent ranks.
   */
  PlanWindow.Key window(Report report) {
    PlanWindow.@Nullable Key known = waiting.get(Reporter.of(report));
    if (known != null) {
      return known;
    }
    return report.iteration() <= planned ? PlanWindow.Key.alone(report) : PlanWindow.Key.of(report);
  }

  /** The earlier answer to a repeated report, until a later checkpoint is planned. */
  Optional<Part> answerTo(Report report) {
    return Optional.ofNullable(parts.get(report.member().rank()))
        .filter(part -> part.checkpoint().equals(report.checkpoint()))
        .filter(part -> chunks(part) == report.remainderChunks());
  }

  private static int chunks(Part part) {
    return part.hostChunks()
        + part.leases().stream().mapToInt(PlanAnswer.PlannedLease::chunks).sum();
  }

  void answered(Report report, Part part, PlanWindow window) {
    waiting.remove(Reporter.of(report));
    if (report.iteration() > planned) {
      planned = report.iteration();
      openedNanos = window.openedNanos;
      parts.clear();
    }
    if (report.iteration() == planned) {
      parts.put(report.member().rank(), part);
    }
  }
}

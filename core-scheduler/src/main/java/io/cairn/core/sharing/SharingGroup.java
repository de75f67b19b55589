package io.cairn.core.sharing;

import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.PlanAnswer.Part;
import io.cairn.core.sharing.PlanWindow.Reporter;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the desk remembers of one group in its epoch. */
final class SharingGroup {
  final long epoch;

  /** Reports that wait in an open window. */
  final Set<Reporter> waiting = new LinkedHashSet<>();

  private final Map<Integer, Part> parts = new HashMap<>();
  private long planned = -1;

  SharingGroup(long epoch) {
    this.epoch = epoch;
  }

  /** Whether the window of this iteration, or of a later one, is over. */
  boolean isLate(Report report) {
    return report.iteration() <= planned;
  }

  /** A late report's part: the one it was answered with, so long as no later one was planned. */
  Part again(Report report) {
    @Nullable Part part = report.iteration() == planned ? parts.get(report.member().rank()) : null;
    boolean same = part != null && chunks(part) == report.remainderChunks();
    return part != null && same
        ? part
        : Planner.toHost(report, "the plan of this checkpoint was made without this report");
  }

  private static int chunks(Part part) {
    return part.hostChunks() + part.shares().stream().mapToInt(PlanAnswer.Share::chunks).sum();
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

package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.core.sharing.DeskMessage.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The reports of one plan: of one coupled checkpoint, or of independent ranks. */
final class PlanWindow {
  /**
   * Identifies the window of a report.
   *
   * @param coupled the checkpoint of a coupled group; empty for independent ranks
   * @param chunkBytes size of the slots of independent ranks, which may differ; 0 for a coupled
   *     group
   */
  record Key(Optional<CheckpointId> coupled, long chunkBytes) {
    /** The window of the report's group, if its ranks are planned together. */
    static Key of(Report report) {
      return report.member().size() > 1
          ? new Key(Optional.of(report.checkpoint()), 0)
          : alone(report);
    }

    /** The window of ranks that are planned without the rest of their group. */
    static Key alone(Report report) {
      return new Key(Optional.empty(), report.chunkBytes());
    }

    boolean isCoupled() {
      return coupled.isPresent();
    }
  }

  /** A rank that reports. */
  record Reporter(CheckpointId checkpoint, int rank) {
    static Reporter of(Report report) {
      return new Reporter(report.checkpoint(), report.member().rank());
    }
  }

  final Key key;
  final long openedNanos;
  final long endsNanos;
  final long chunkBytes;
  final int size;
  final Map<Reporter, Report> reports = new LinkedHashMap<>();

  /** A window that this report opens. */
  PlanWindow(Key key, Report first, long openedNanos, long endsNanos) {
    this.key = key;
    this.openedNanos = openedNanos;
    this.endsNanos = endsNanos;
    this.chunkBytes = first.chunkBytes();
    this.size = first.member().size();
  }

  /** Whether the report agrees with the first one on chunk size and size of the group. */
  boolean fits(Report report) {
    return report.chunkBytes() == chunkBytes
        && (!key.isCoupled() || report.member().size() == size);
  }

  /** Whether a whole group has reported; independent ranks wait for the window's end. */
  boolean complete() {
    return key.isCoupled() && reports.size() >= size;
  }
}

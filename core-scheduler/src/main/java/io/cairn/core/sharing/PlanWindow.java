package io.cairn.core.sharing;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.sharing.DeskMessage.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The reports that one plan waits for: of one checkpoint, or of ranks that wait for nobody. */
final class PlanWindow {
  /**
   * Which window a report belongs to.
   *
   * @param coupled the checkpoint of a group of several; empty for ranks that wait for nobody
   * @param chunkBytes for the latter, whose slots may differ; 0 for a group of several
   */
  record Key(Optional<CheckpointId> coupled, long chunkBytes) {
    /** The window of the report's group, if its ranks are planned together. */
    static Key of(Report report) {
      return report.member().size() > 1
          ? new Key(Optional.of(report.checkpoint()), 0)
          : alone(report);
    }

    /** The window of ranks that are planned without the rest of their group, if there is any. */
    static Key alone(Report report) {
      return new Key(Optional.empty(), report.chunkBytes());
    }

    boolean isCoupled() {
      return coupled.isPresent();
    }
  }

  /** Who reports. */
  record Reporter(CheckpointId checkpoint, int rank) {
    static Reporter of(Report report) {
      return new Reporter(report.checkpoint(), report.member().rank());
    }
  }

  final Key key;
  final long endsNanos;
  final long chunkBytes;
  final int size;
  final Map<Reporter, Report> reports = new LinkedHashMap<>();

  /** A window that this report opens. */
  PlanWindow(Key key, Report first, long endsNanos) {
    this.key = key;
    this.endsNanos = endsNanos;
    this.chunkBytes = first.chunkBytes();
    this.size = first.member().size();
  }

  /** Whether the report says the same of its group as the one that opened the window. */
  boolean fits(Report report) {
    return report.chunkBytes() == chunkBytes
        && (!key.isCoupled() || report.member().size() == size);
  }

  /** Whether a whole group has reported; ranks that wait for nobody wait for the window's end. */
  boolean complete() {
    return key.isCoupled() && reports.size() >= size;
  }
}

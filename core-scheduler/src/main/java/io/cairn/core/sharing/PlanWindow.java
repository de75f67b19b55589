package io.cairn.core.sharing;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.sharing.DeskMessage.Report;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The reports that one plan waits for: of one checkpoint, or of groups of one. */
final class PlanWindow {
  /**
   * Which window a report belongs to.
   *
   * @param coupled the checkpoint of a group of several; empty for groups of one
   * @param chunkBytes for groups of one, whose slots may differ; 0 for a group of several
   */
  record Key(Optional<CheckpointId> coupled, long chunkBytes) {
    static Key of(Report report) {
      return report.member().size() > 1
          ? new Key(Optional.of(report.checkpoint()), 0)
          : new Key(Optional.empty(), report.chunkBytes());
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
  PlanWindow(Report first, long endsNanos) {
    this.key = Key.of(first);
    this.endsNanos = endsNanos;
    this.chunkBytes = first.chunkBytes();
    this.size = first.member().size();
  }

  /** Whether the report says the same of its group as the one that opened the window. */
  boolean fits(Report report) {
    return report.chunkBytes() == chunkBytes && report.member().size() == size;
  }

  /** Whether a whole group has reported; groups of one wait for each other. */
  boolean complete() {
    return size > 1 && reports.size() >= size;
  }
}

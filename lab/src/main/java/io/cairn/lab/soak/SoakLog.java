package io.cairn.lab.soak;

import io.cairn.lab.measure.RankFiles;
import java.nio.file.Path;
import java.util.List;

/**
 * The events of a group's ranks, of all processes, and of the kills: lines in one file in the order
 * in which they were reported. Thread-safe.
 */
record SoakLog(RankFiles files) {
  SoakLog(Path directory, String group) {
    this(new RankFiles(directory, group));
  }

  void report(SoakEvent event) {
    files.report(event.line());
  }

  List<SoakEvent> events() {
    return after(0).events();
  }

  /** The events after the first so many bytes of the log, and the bytes that it now has. */
  Part after(long bytes) {
    String lines = files.linesAfter(bytes);
    return new Part(lines.lines().map(SoakEvent::parse).toList(), bytes + lines.length());
  }

  /**
   * A part of the log.
   *
   * @param end bytes up to its end
   */
  record Part(List<SoakEvent> events, long end) {}
}

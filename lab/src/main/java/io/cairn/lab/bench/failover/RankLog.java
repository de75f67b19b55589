package io.cairn.lab.bench.failover;

import io.cairn.lab.measure.RankFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the new events of one log, again and again. Not thread-safe. */
final class RankLog {
  private final RankFiles files;
  private final List<RankEvent> events = new ArrayList<>();
  private long read;

  /** The log with this name, which need not exist yet. */
  RankLog(Path directory, String name) {
    files = new RankFiles(directory, name);
  }

  /** All events so far, in their order. */
  List<RankEvent> events() {
    String lines = files.linesAfter(read);
    read += lines.length();
    lines.lines().map(RankEvent::parse).forEach(events::add);
    return events;
  }
}

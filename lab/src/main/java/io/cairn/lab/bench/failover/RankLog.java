package io.cairn.lab.bench.failover;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Reads the new events of one log, again and again. Not thread-safe. */
final class RankLog {
  private final Path file;
  private final List<RankEvent> events = new ArrayList<>();
  private long read;

  /** The log with this name, which need not exist yet. */
  RankLog(Path directory, String name) {
    this.file = file(directory, name);
  }

  private static Path file(Path directory, String name) {
    return directory.resolve(name + ".events");
  }

  /** Adds a line in one write, so that a kill cannot tear it. Any process, any thread. */
  static void report(Path directory, String name, RankEvent event) {
    try {
      Files.writeString(
          file(directory, name),
          event.line(),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All events so far, in their order. */
  List<RankEvent> events() {
    if (!Files.exists(file)) {
      return events;
    }
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(read);
      String text = new String(in.readAllBytes(), US_ASCII);
      String whole = text.substring(0, text.lastIndexOf('\n') + 1);
      read += whole.length();
      whole.lines().map(RankEvent::parse).forEach(events::add);
      return events;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

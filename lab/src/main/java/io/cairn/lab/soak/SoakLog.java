package io.cairn.lab.soak;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;

/**
 * The events of a group's ranks, of all processes, and of the kills: lines in one file in the order
 * in which they were reported. Thread-safe.
 */
record SoakLog(Path directory, String group) {
  /** Adds a line in one write, so that a kill cannot tear it. */
  void report(SoakEvent event) {
    try {
      Files.writeString(file(), event.line(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<SoakEvent> events() {
    return linesAfter(0).lines().map(SoakEvent::parse).toList();
  }

  /** The whole lines after the first so many bytes. */
  String linesAfter(long bytes) {
    if (!Files.exists(file())) {
      return "";
    }
    try (InputStream in = Files.newInputStream(file())) {
      in.skipNBytes(bytes);
      String text = new String(in.readAllBytes(), US_ASCII);
      return text.substring(0, text.lastIndexOf('\n') + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file() {
    return directory.resolve(group + ".events");
  }

  /** Tells the ranks to end with an iteration. */
  void end(long iteration) throws IOException {
    Path written = directory.resolve(group + ".end.tmp");
    Files.writeString(written, Long.toString(iteration));
    Files.move(written, end());
  }

  /** The iteration to end with, once it is known. */
  OptionalLong endAt() {
    try {
      return Files.exists(end())
          ? OptionalLong.of(Long.parseLong(Files.readString(end())))
          : OptionalLong.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path end() {
    return directory.resolve(group + ".end");
  }
}

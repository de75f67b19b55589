package io.cairn.lab.measure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * Files through which ranks in several processes report lines of ASCII, in the order in which they
 * report them, and learn their last iteration. Thread-safe.
 *
 * @param name of the ranks that share them
 */
public record RankFiles(Path directory, String name) {
  /** Adds a line in one write, so that a kill cannot tear it. */
  public void report(String line) {
    try {
      Files.writeString(
          events(), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The whole lines after the first so many bytes, each with its end. */
  public String linesAfter(long bytes) {
    if (!Files.exists(events())) {
      return "";
    }
    try (InputStream in = Files.newInputStream(events())) {
      in.skipNBytes(bytes);
      String text = new String(in.readAllBytes(), US_ASCII);
      return text.substring(0, text.lastIndexOf('\n') + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tells the ranks to end with an iteration. */
  public void end(long iteration) throws IOException {
    Path written = directory.resolve(name + ".end.tmp");
    Files.writeString(written, Long.toString(iteration));
    Files.move(written, end());
  }

  /** The iteration to end with, once it is known. */
  public OptionalLong endAt() {
    try {
      return Files.exists(end())
          ? OptionalLong.of(Long.parseLong(Files.readString(end())))
          : OptionalLong.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path events() {
    return directory.resolve(name + ".events");
  }

  private Path end() {
    return directory.resolve(name + ".end");
  }
}

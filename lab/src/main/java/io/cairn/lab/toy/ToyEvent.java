package io.cairn.lab.toy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A report of a rank, as a line of a file that all processes of a machine append to.
 *
 * @param what {@code start} or {@code sealed}
 * @param pid of the process that reports
 * @param epoch of the attempt
 * @param iteration from which it starts, or that is sealed at NODE
 * @param source level that it resumed from, or {@code none}
 * @param jar that the class of Cairn came from
 */
public record ToyEvent(
    String what, int rank, long pid, long epoch, long iteration, String source, String jar) {
  private static final String FILE = "events";

  /** The events so far; lines that are being written are left out. */
  public static List<ToyEvent> all(Path directory) {
    Path file = directory.resolve(FILE);
    try {
      String text = Files.exists(file) ? Files.readString(file) : "";
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(ToyEvent::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }

  private static ToyEvent of(String line) {
    String[] words = line.split(" ", -1);
    return new ToyEvent(
        words[0],
        Integer.parseInt(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]),
        words[5],
        words[6]);
  }

  void report(Path directory) {
    String line =
        String.join(" ", what, "" + rank, "" + pid, "" + epoch, "" + iteration, source, jar) + "\n";
    Path file = directory.resolve(FILE);
    try {
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }
}

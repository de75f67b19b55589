package io.cairn.examples.demo;

import io.cairn.spark.LocalHistory;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Spark's history of the demo's runs, open until the user has seen enough. */
final class DemoHistory {
  /** The port of Spark's own history servers; a later one if that is in use. */
  private static final int PORT = 18_080;

  private DemoHistory() {}

  /**
   * Serves the logs, prints the address of each run's tab, and waits.
   *
   * @param store a directory for what was replayed
   * @param enter ends the wait by a line, or by its end
   */
  static void show(Path logs, Path store, PrintWriter out, InputStream enter) throws IOException {
    Files.createDirectories(store);
    try (LocalHistory history = LocalHistory.open(logs, store, PORT)) {
      out.println("\nCheckpoints of each run, in Spark's history:");
      applications(logs).forEach(each -> out.println("  " + history.tab(each)));
      out.println("Press Enter to end.");
      out.flush();
      int next = enter.read();
      while (next != -1 && next != '\n') {
        next = enter.read();
      }
    }
  }

  /** In the order of their starts. A killed driver has not finished its log. */
  private static List<String> applications(Path logs) throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("app-"))
          .map(name -> name.replace(".inprogress", ""))
          .sorted()
          .toList();
    }
  }
}

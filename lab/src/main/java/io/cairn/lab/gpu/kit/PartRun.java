package io.cairn.lab.gpu.kit;

import io.cairn.cli.LocalTree;
import io.cairn.lab.gpu.kit.KitReport.Answer;
import io.cairn.lab.gpu.kit.KitReport.Figure;
import io.cairn.lab.gpu.kit.KitReport.PartReport;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** One part in a process of its own, and the findings of that process so far. */
final class PartRun {
  private static final int LOG_LINES = 40;

  private final KitPart part;
  private final List<Answer> answers = new ArrayList<>();
  private final List<Figure> figures = new ArrayList<>();
  private final Deque<String> log = new ArrayDeque<>();
  private String skipped = "";

  private PartRun(KitPart part) {
    this.part = part;
  }

  /** Runs a part to its end, or kills it with its children at its deadline. */
  static PartReport of(KitPart part, KitOptions options) throws InterruptedException {
    return new PartRun(part).run(options);
  }

  private PartReport run(KitOptions options) throws InterruptedException {
    long began = System.nanoTime();
    String failure;
    try {
      Path directory = Files.createTempDirectory(options.scratch(), "cairn-" + part.label() + "-");
      try (ChildProcess child = command(options, directory).start()) {
        failure = read(child, options.deadline(part));
      } finally {
        LocalTree.delete(directory);
      }
    } catch (IOException e) {
      failure = "its process could not run: " + e.getMessage();
    }
    return report(failure, (System.nanoTime() - began) / 1e9);
  }

  private Command command(KitOptions options, Path directory) {
    List<String> words = new ArrayList<>(List.of(part.name()));
    words.addAll(options.words(directory));
    return Command.java(PartProcess.class, words.toArray())
        .options("-XX:+UseSerialGC", "-Xshare:auto", "-Djava.io.tmpdir=" + directory)
        .withErrorsInOutput();
  }

  /** Reads findings; returns the reason of a failure, or an empty text. */
  private String read(ChildProcess child, Duration deadline)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + deadline.toNanos();
    while (!child.outputEnded()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        child.killTree();
        return "it did not end within " + deadline.toSeconds() + " s, and was killed";
      }
      Optional<String> line = child.line(Duration.ofNanos(left));
      line.ifPresent(this::take);
    }
    int status = child.exitStatus();
    if (status == PartProcess.FAILED) {
      return log.isEmpty() ? "without a reason" : log.getLast();
    } else if (status != 0) {
      return "its process ended with status " + status + ", as after a signal or a crash";
    }
    long missed = figures.stream().filter(one -> one.verdict().equals(KitReport.NOT_MET)).count();
    return missed == 0 ? "" : missed + " of its figures miss their bars";
  }

  private void take(String line) {
    String[] fields = line.split(Findings.FIELD, -1);
    if (fields[0].equals(Findings.ANSWER) && fields.length == 4) {
      boolean agrees = fields[2].isEmpty() || fields[2].equals(fields[3]);
      answers.add(new Answer(fields[1], fields[2], fields[3], agrees));
    } else if (fields[0].equals(Findings.FIGURE) && fields.length == 6) {
      double value = Double.parseDouble(fields[2]);
      figures.add(new Figure(fields[1], value, fields[3], fields[4], fields[5]));
    } else if (fields[0].equals(Findings.SKIP) && fields.length == 2) {
      skipped = fields[1];
    } else {
      log.add(line);
      if (log.size() > LOG_LINES) {
        log.remove();
      }
    }
  }

  private PartReport report(String failure, double seconds) {
    String state = KitReport.FAILED;
    if (failure.isEmpty()) {
      state = skipped.isEmpty() ? KitReport.PASSED : KitReport.SKIPPED;
    }
    return new PartReport(
        part.label(),
        state,
        failure.isEmpty() ? skipped : failure,
        Math.round(seconds * 10) / 10.0,
        answers,
        figures,
        state.equals(KitReport.PASSED) ? warnings() : List.copyOf(log));
  }

  /** Warnings in the end of the log. */
  private List<String> warnings() {
    return log.stream().filter(line -> line.startsWith("WARN ")).toList();
  }
}

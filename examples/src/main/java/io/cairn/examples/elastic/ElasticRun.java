package io.cairn.examples.elastic;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import io.cairn.process.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Runs of the training on executors that are processes, of which one may be killed. */
final class ElasticRun {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int NEVER = -1;

  private final Path root;
  private final ElasticTraining training;
  private final Consumer<String> events;
  private final List<Attempt> attempts = new ArrayList<>();

  /**
   * How the training ran on one number of executors.
   *
   * @param from steps that were complete at its start
   * @param killedAt the step in which an executor was killed, or -1
   * @param digest of the model at the end; empty if an executor was killed
   */
  record Attempt(int executors, long from, long killedAt, String digest) {}

  ElasticRun(Path root, ElasticTraining training, Consumer<String> events) {
    this.root = root;
    this.training = training;
    this.events = events;
  }

  /** Runs to the end, and returns the digest. */
  String complete(int executors) throws IOException, InterruptedException {
    return live(executors, NEVER, 0).digest();
  }

  /** Runs until a step, in which it kills an executor. All others end then. */
  void kill(int executors, long step, int victim) throws IOException, InterruptedException {
    live(executors, step, victim);
  }

  /** All runs so far. */
  List<Attempt> attempts() {
    return List.copyOf(attempts);
  }

  private Attempt live(int executors, long killStep, int victim)
      throws IOException, InterruptedException {
    List<ChildProcess> processes = new ArrayList<>();
    try {
      int coordinator = FreePort.find();
      int hub = FreePort.find();
      for (int rank = 0; rank < executors; rank++) {
        processes.add(start(rank, executors, coordinator, hub));
      }
      Attempt attempt = follow(processes, killStep, victim);
      attempts.add(attempt);
      for (ChildProcess process : processes) {
        int status = process.exitStatus();
        if (killStep == NEVER && status != 0) {
          throw new IOException("an executor ended with " + status + ": " + errors());
        }
      }
      return attempt;
    } finally {
      processes.forEach(ChildProcess::close);
    }
  }

  private ChildProcess start(int rank, int executors, int coordinator, int hub) throws IOException {
    return Command.java(
            ElasticProcess.class,
            root,
            rank,
            executors,
            coordinator,
            hub,
            training.virtualRanks(),
            training.steps())
        .options("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .environment("OMP_NUM_THREADS", "1")
        .errorsTo(root.resolve("errors"))
        .start();
  }

  private Attempt follow(List<ChildProcess> processes, long killStep, int victim)
      throws IOException, InterruptedException {
    long from = 0;
    while (true) {
      String line =
          processes
              .get(0)
              .line(PATIENCE)
              .orElseThrow(() -> new IOException("rank 0 ended early: " + errors()));
      String[] words = line.split(" ", -1);
      if (words[0].equals("from")) {
        from = Long.parseLong(words[1]);
        events.accept(
            String.format(
                Locale.ROOT, "executors: %d, training from step %d on", processes.size(), from));
      } else if (words[0].equals("digest")) {
        events.accept(
            String.format(Locale.ROOT, "executors: %d, ended with %s", processes.size(), words[1]));
        return new Attempt(processes.size(), from, NEVER, words[1]);
      } else if (Long.parseLong(words[1]) == killStep) {
        processes.get(victim).kill();
        events.accept(
            String.format(Locale.ROOT, "executor %d killed in step %d", victim, killStep));
        return new Attempt(processes.size(), from, killStep, "");
      }
    }
  }

  /** The end of the executors' log. */
  private String errors() {
    try {
      List<String> lines = Files.readAllLines(root.resolve("errors"));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "their log cannot be read: " + e;
    }
  }
}

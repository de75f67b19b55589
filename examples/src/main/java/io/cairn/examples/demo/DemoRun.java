package io.cairn.examples.demo;

import io.cairn.examples.digits.FoldTraining;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs the cross-validation once, with or without kills, and reports its events to the console. */
final class DemoRun {
  private static final long POLL_MILLIS = 40;

  private final Path directory;
  private final String job;
  private final String store;
  private final long seed;
  private final int executors;
  private final Optional<Path> eventLogs;
  private final UiAddress ui;
  private final Timeline timeline;

  /**
   * A run that has not begun.
   *
   * @param eventLogs a directory for Spark's event logs; empty for a run without Spark's UI
   */
  DemoRun(
      Path directory,
      String job,
      String store,
      long seed,
      int executors,
      Optional<Path> eventLogs) {
    this.eventLogs = eventLogs;
    this.ui = new UiAddress(directory);
    this.directory = directory;
    this.job = job;
    this.store = store;
    this.seed = seed;
    this.executors = executors;
    this.timeline = new Timeline(directory.resolve("events"));
  }

  Timeline timeline() {
    return timeline;
  }

  String job() {
    return job;
  }

  /** Lets it run to its end; returns the seconds that this took. */
  double undisturbed(DemoNarrator narrator) throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (DriverProcess driver = start()) {
      while (driver.isAlive()) {
        watch(narrator);
      }
      watch(narrator);
      driver.requireSuccess();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  /** Strikes it twice on the way; returns what was killed. */
  List<Blows.Kill> disturbed(DemoNarrator narrator) throws IOException, InterruptedException {
    Blows blows =
        new Blows(timeline, seed, new FoldTraining(0, seed, FoldTraining.EPOCHS).iterations());
    if (!strike(blows, narrator)) {
      undisturbed(narrator);
    }
    return blows.kills();
  }

  /** Runs until the machine was killed, or to the end; whether it came to the end. */
  private boolean strike(Blows blows, DemoNarrator narrator)
      throws IOException, InterruptedException {
    try (DriverProcess driver = start()) {
      while (driver.isAlive()) {
        watch(narrator);
        blows.executor().ifPresent(narrator::killed);
        Optional<Blows.Kill> machine = blows.machine(driver, directory.resolve("node"));
        machine.ifPresent(narrator::killed);
        if (machine.isPresent()) {
          return false;
        }
      }
      watch(narrator);
      driver.requireSuccess();
      return true;
    }
  }

  private DriverProcess start() throws IOException {
    return DriverProcess.start(directory, job, store, seed, executors, eventLogs);
  }

  private void watch(DemoNarrator narrator) throws IOException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    ui.take().ifPresent(narrator::served);
    timeline.poll().forEach(narrator::news);
  }
}

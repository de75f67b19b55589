package io.cairn.examples.demo;

import io.cairn.examples.digits.FoldTraining;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs the cross-validation once, striking it or not, and tells the console what it sees. */
final class DemoRun {
  private static final long POLL_MILLIS = 40;

  private final Path directory;
  private final String job;
  private final String store;
  private final long seed;
  private final int executors;
  private final DemoConsole console;
  private final Timeline timeline;

  DemoRun(
      Path directory, String job, String store, long seed, int executors, DemoConsole console) {
    this.directory = directory;
    this.job = job;
    this.store = store;
    this.seed = seed;
    this.executors = executors;
    this.console = console;
    this.timeline = new Timeline(directory.resolve("events"));
  }

  Timeline timeline() {
    return timeline;
  }

  /** Lets it run to its end. */
  void undisturbed() throws IOException, InterruptedException {
    try (DriverProcess driver = start()) {
      while (driver.isAlive()) {
        watch();
      }
      watch();
      driver.requireSuccess();
    }
  }

  /** Strikes it twice on the way; returns what was killed. */
  List<Blows.Kill> disturbed() throws IOException, InterruptedException {
    Blows blows = new Blows(timeline, seed, new FoldTraining(0, seed, FoldTraining.EPOCHS).iterations());
    if (!strike(blows)) {
      undisturbed();
    }
    return blows.kills();
  }

  /** Runs until the machine was killed, or to the end; whether it came to the end. */
  private boolean strike(Blows blows) throws IOException, InterruptedException {
    try (DriverProcess driver = start()) {
      while (driver.isAlive()) {
        watch();
        blows.executor().ifPresent(console::killed);
        Optional<Blows.Kill> machine = blows.machine(driver, directory.resolve("node"));
        machine.ifPresent(console::killed);
        if (machine.isPresent()) {
          return false;
        }
      }
      watch();
      driver.requireSuccess();
      return true;
    }
  }

  private DriverProcess start() throws IOException {
    return DriverProcess.start(directory, job, store, seed, executors);
  }

  private void watch() throws IOException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    timeline.poll().forEach(console::news);
  }
}

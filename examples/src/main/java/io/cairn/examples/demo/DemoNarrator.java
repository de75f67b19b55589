package io.cairn.examples.demo;

import java.util.Locale;

/** Tells the console what the folds' logs say, in words. Not thread-safe. */
final class DemoNarrator {
  private final DemoConsole console;

  DemoNarrator(DemoConsole console) {
    this.console = console;
  }

  void killed(Blows.Kill kill) {
    console.event(
        kill.target().equals("machine")
            ? "machine killed: driver (pid "
                + kill.pid()
                + "), all executors and the node directory,"
                + " with fold-"
                + kill.fold()
                + " at iteration "
                + kill.iteration()
            : "executor killed (pid "
                + kill.pid()
                + "), with fold-"
                + kill.fold()
                + " at iteration "
                + kill.iteration());
  }

  void served(String address) {
    console.event("Spark's UI: " + address);
  }

  void news(Timeline.News news) {
    Attempt attempt = news.attempt();
    FoldEvent event = news.at().event();
    String name = "fold-" + attempt.fold();
    if (event instanceof FoldEvent.Resumed resumed) {
      console.event(
          name
              + " resumes from "
              + resumed.level()
              + ", iteration "
              + resumed.iteration()
              + ", as epoch "
              + attempt.epoch());
    } else if (event instanceof FoldEvent.Step step) {
      console.progress(attempt.fold(), step.iterations(), "epoch " + attempt.epoch());
    } else if (event instanceof FoldEvent.Done done) {
      console.event(
          String.format(
              Locale.ROOT,
              "%s done, accuracy %.2f %%, digest %s…",
              name,
              100 * done.accuracy(),
              done.digest().substring(0, 12)));
    }
  }
}

package io.cairn.examples.demo;

import io.cairn.cli.Progress;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The output of the demonstration while it runs: on a terminal a bar per fold, drawn in place below
 * the lines of events; elsewhere the events, and each fold's progress in steps of a quarter.
 * Thread-safe.
 */
public final class DemoConsole implements AutoCloseable {
  private static final int STEPS = 4;
  private static final int BAR_CELLS = 30;

  /** A bar that the terminal wrapped could not be erased by its count of lines. */
  private static final int MAX_COLUMNS = 79;

  private static final long REDRAW_MILLIS = 100;
  private static final String ERASE_LINE = "\033[2K";
  private static final String LINE_UP = "\033[1A";

  private final PrintStream out;
  private final boolean terminal;
  private final InstantSource clock;
  private final long startMillis;
  private final List<Fold> folds = new ArrayList<>();
  private long drawnMillis;
  private boolean drawn;
  private boolean closed;

  /** One bar. */
  private static final class Fold {
    private final String name;
    private final long iterations;
    private long iteration;
    private long stepsShown;
    private String note = "waiting";

    private Fold(String name, long iterations) {
      this.name = name;
      this.iterations = iterations;
    }
  }

  DemoConsole(
      PrintStream out, boolean terminal, InstantSource clock, List<String> folds, long iterations) {
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
    this.startMillis = clock.millis();
    folds.forEach(name -> this.folds.add(new Fold(name, iterations)));
  }

  /**
   * A console on stderr, with time from now on.
   *
   * @param folds names, by number
   * @param iterations of each, at least 1
   */
  public static DemoConsole start(List<String> folds, long iterations) {
    return new DemoConsole(
        System.err, Progress.onTerminal(), InstantSource.system(), folds, iterations);
  }

  /** Prints a line about something that happened, with the time. */
  public synchronized void event(String text) {
    double seconds = (clock.millis() - startMillis) / 1000.0;
    eraseBars();
    out.printf(Locale.ROOT, "%6.1f s  %s%n", seconds, text);
    drawBars();
  }

  /**
   * A fold has done an iteration; after a resume it may be lower than before.
   *
   * @param note a few words on its state, such as its epoch
   */
  public synchronized void progress(int fold, long iteration, String note) {
    Fold of = folds.get(fold);
    of.iteration = iteration;
    of.note = note;
    if (!terminal) {
      reportStep(of);
    } else if (clock.millis() - drawnMillis >= REDRAW_MILLIS || iteration == of.iterations) {
      eraseBars();
      drawBars();
    }
  }

  /** Leaves the bars as they are; nothing is drawn in place any more. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      eraseBars();
      drawBars();
      closed = true;
    }
  }

  private void reportStep(Fold of) {
    long steps = STEPS * of.iteration / of.iterations;
    if (steps > of.stepsShown) {
      event(of.name + " at iteration " + of.iteration + " of " + of.iterations + ", " + of.note);
    }
    of.stepsShown = steps;
  }

  private void eraseBars() {
    if (drawn && !closed) {
      out.print((LINE_UP + ERASE_LINE).repeat(folds.size()));
      drawn = false;
    }
  }

  private void drawBars() {
    if (terminal && !closed) {
      StringBuilder bars = new StringBuilder();
      folds.forEach(fold -> bars.append(bar(fold)).append('\n'));
      out.print(bars);
      out.flush();
      drawn = true;
      drawnMillis = clock.millis();
    }
  }

  private static String bar(Fold of) {
    int full = (int) (BAR_CELLS * Math.min(of.iteration, of.iterations) / of.iterations);
    String bar =
        String.format(
            Locale.ROOT,
            "  %-8s %s%s %5d/%d  %s",
            of.name,
            "█".repeat(full),
            "░".repeat(BAR_CELLS - full),
            of.iteration,
            of.iterations,
            of.note);
    return bar.substring(0, Math.min(bar.length(), MAX_COLUMNS));
  }
}

package io.cairn.cli;

import java.io.PrintStream;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far a long command is: a bar that is drawn in place on a terminal; elsewhere, where control
 * codes would be noise, a line per quarter. Counts bytes or other things. Not thread-safe.
 */
public final class Progress implements AutoCloseable {
  private static final int STEPS = 4;
  private static final int REDRAW_MILLIS = 200;
  private static final long SMALL_BYTES = 16 << 20;
  private static final int MAX_COLUMNS = 100;

  /** A line that is drawn again must not reach the last column, from which terminals go on. */
  private static final int MARGIN = 1;

  private static final int USUAL_COLUMNS = 80;

  private final PrintStream out;
  private final String task;
  private final long total;
  private final String totalText;
  private final @Nullable ProgressBar bar;
  private long done;
  private long stepsShown;

  private Progress(
      PrintStream out, String task, long total, String totalText, @Nullable ProgressBar bar) {
    this.out = out;
    this.task = task;
    this.total = total;
    this.totalText = totalText;
    this.bar = bar;
  }

  /** Progress in bytes on stderr, as a bar if this process talks to a terminal. */
  public static Progress start(String task, long totalBytes) {
    boolean small = totalBytes < SMALL_BYTES;
    return start(
        task, totalBytes, Units.bytes(totalBytes), small ? " KiB" : " MiB", small ? 1024 : 1 << 20);
  }

  /** Progress in things that the noun names, on stderr as {@link #start}. */
  public static Progress counting(String task, long total, String noun) {
    return start(task, total, Units.count(total, noun), " " + noun + "s", 1);
  }

  private static Progress start(
      String task, long total, String totalText, String unit, long unitSize) {
    ProgressBar bar = onTerminal() ? bar(System.err, columns(), task, total, unit, unitSize) : null;
    return new Progress(System.err, task, total, totalText, bar);
  }

  /** Of the terminal, as {@code bin/cairn} found it at the start. */
  private static int columns() {
    return Integer.getInteger("cairn.columns", USUAL_COLUMNS);
  }

  /** Progress in bytes, as a bar on a terminal of so many columns. */
  static Progress bar(PrintStream out, int columns, String task, long totalBytes) {
    ProgressBar bar = bar(out, columns, task, totalBytes, " MiB", 1 << 20);
    return new Progress(out, task, totalBytes, Units.bytes(totalBytes), bar);
  }

  /** Progress in bytes, as plain lines. */
  static Progress lines(PrintStream out, String task, long totalBytes) {
    return new Progress(out, task, totalBytes, Units.bytes(totalBytes), null);
  }

  /**
   * Whether stderr is a terminal that can move its cursor. Java cannot detect that; {@code
   * bin/cairn} can, and sets a system property.
   */
  public static boolean onTerminal() {
    return Boolean.getBoolean("cairn.terminal");
  }

  /** Adds to what is done. */
  public void advance(long more) {
    done += more;
    if (bar != null) {
      bar.stepTo(done);
    } else if (total > 0) {
      long steps = STEPS * Math.min(done, total) / total;
      if (steps > stepsShown) {
        stepsShown = steps;
        out.printf(Locale.ROOT, "%s: %d %% of %s%n", task, 100 * steps / STEPS, totalText);
      }
    }
  }

  /** Ends the bar; what is printed next stands on a line of its own. */
  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }

  private static ProgressBar bar(
      PrintStream out, int columns, String task, long total, String unit, long unitSize) {
    int width = Math.min(MAX_COLUMNS, Math.max(MARGIN, columns - MARGIN));
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setInitialMax(total)
        .setUnit(unit, unitSize)
        .setStyle(ProgressBarStyle.UNICODE_BLOCK)
        .setUpdateIntervalMillis(REDRAW_MILLIS)
        .setConsumer(new ConsoleProgressBarConsumer(out, width))
        .build();
  }
}

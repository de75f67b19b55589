package io.cairn.cli;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far a long command is: a bar that is drawn in place on a terminal; elsewhere, where control
 * codes would be noise, a line per quarter. Counts bytes. Not thread-safe.
 */
public final class Progress implements AutoCloseable {
  private static final int STEPS = 4;
  private static final int REDRAW_MILLIS = 200;
  private static final long SMALL_BYTES = 16 << 20;
  private static final int MAX_COLUMNS = 100;

  private final PrintStream out;
  private final String task;
  private final long totalBytes;
  private final @Nullable ProgressBar bar;
  private long doneBytes;
  private long stepsShown;

  private Progress(PrintStream out, String task, long totalBytes, @Nullable ProgressBar bar) {
    this.out = out;
    this.task = task;
    this.totalBytes = totalBytes;
    this.bar = bar;
  }

  /** Progress on stderr, as a bar if this process talks to a terminal. */
  public static Progress start(String task, long totalBytes) {
    return onTerminal()
        ? new Progress(System.err, task, totalBytes, bar(task, totalBytes))
        : lines(System.err, task, totalBytes);
  }

  /** Progress as plain lines. */
  static Progress lines(PrintStream out, String task, long totalBytes) {
    return new Progress(out, task, totalBytes, null);
  }

  /**
   * Whether stderr is a terminal that can move its cursor. Java cannot tell; {@code bin/cairn} can,
   * and says so in a system property.
   */
  public static boolean onTerminal() {
    return Boolean.getBoolean("cairn.terminal");
  }

  /** Adds bytes to what is done. */
  public void advance(long bytes) {
    doneBytes += bytes;
    if (bar != null) {
      bar.stepTo(doneBytes);
    } else if (totalBytes > 0) {
      long steps = STEPS * Math.min(doneBytes, totalBytes) / totalBytes;
      if (steps > stepsShown) {
        stepsShown = steps;
        out.printf("%s: %d %% of %s%n", task, 100 * steps / STEPS, Units.bytes(totalBytes));
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

  private static ProgressBar bar(String task, long totalBytes) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setInitialMax(totalBytes)
        .setUnit(
            totalBytes < SMALL_BYTES ? " KiB" : " MiB", totalBytes < SMALL_BYTES ? 1024 : 1 << 20)
        .setStyle(ProgressBarStyle.UNICODE_BLOCK)
        .setUpdateIntervalMillis(REDRAW_MILLIS)
        .setConsumer(new ConsoleProgressBarConsumer(System.err, MAX_COLUMNS))
        .build();
  }
}

package io.cairn.lab.gpu.kit;

import io.cairn.lab.measure.Bar;
import java.io.PrintStream;
import java.util.Locale;

/**
 * The findings of a part, as lines of its output, which {@link PartRun} reads. Other lines are the
 * part's log. Not thread-safe.
 */
final class Findings {
  static final String ANSWER = "@answer";
  static final String FIGURE = "@figure";
  static final String SKIP = "@skip";
  static final String FIELD = "\t";

  private final PrintStream out;
  private final boolean judges;

  /** Findings on {@code out}; without verdicts about figures unless {@code judges}. */
  Findings(PrintStream out, boolean judges) {
    this.out = out;
    this.judges = judges;
  }

  /** The behaviour of the driver, beside that of the fake, which tests lean on. */
  void answer(String question, String assumed, String seen) {
    line(ANSWER, question, assumed, seen);
  }

  /** A figure without a bar. */
  void figure(String name, double value, String unit) {
    line(FIGURE, name, number(value), unit, "", "");
  }

  /** A figure that has to hold, if sizes are such that it means something. */
  void figure(Bar bar, String unit) {
    String verdict = !judges ? KitReport.NOT_JUDGED : bar.met() ? KitReport.MET : KitReport.NOT_MET;
    String limit = bar.relation() + " " + number(bar.limit());
    line(FIGURE, bar.name(), number(bar.value()), unit, limit, verdict);
  }

  /** That the part cannot run here. */
  void skip(String reason) {
    line(SKIP, reason);
  }

  /** A step of the part, for its log. */
  void say(String text) {
    out.println(text.replace('\n', ' '));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value);
  }

  private void line(String... fields) {
    out.println(String.join(FIELD, fields).replaceAll("\\R", " "));
  }
}

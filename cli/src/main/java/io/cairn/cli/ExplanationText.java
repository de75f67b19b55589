package io.cairn.cli;

import io.cairn.Level;
import io.cairn.cli.Explanation.Attempt;
import io.cairn.cli.Explanation.Restored;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/** Prints an explanation for people: the answer first, then how it was found. */
final class ExplanationText {
  private final PrintWriter out;

  ExplanationText(PrintWriter out) {
    this.out = out;
  }

  void print(Explanation of) {
    out.println(of.group() + ", " + Units.count(of.size(), "rank") + ": " + answer(of));
    section("Looked in, nearest first:", sources(of));
    section("Tried:", attempts(of.tried(), of.size() > 1));
    section("Ignored:", attempts(of.refused(), false));
    section("Of another number of ranks, for regions with layouts only:", of.otherSize());
    section("Bad, set aside:", setAside(of));
    section("Unreachable:", of.unreachable());
    Table older = new Table("checkpoint", "held at");
    of.older().forEach(each -> older.row(each.checkpoint(), levels(each.levels())));
    section("Next candidates:", older.isEmpty() ? List.of() : older.lines());
    section("Periods when the newest was written, and their bounds:", periods(of));
  }

  private static String answer(Explanation of) {
    Restored restored = of.restored();
    if (restored != null) {
      return "a restore takes "
          + restored.checkpoint()
          + ", "
          + Units.bytes(restored.bytes())
          + " from "
          + restored.farthestLevel()
          + "; training resumes after iteration "
          + restored.iteration()
          + (of.passedOver().isEmpty()
              ? ""
              : ". It asks for %s first, as long as store.patience, and fails with store.unreadable=refuse"
                  .formatted(String.join(", ", of.passedOver())));
    } else if (!of.refusal().isEmpty()) {
      return "a restore fails after store.patience: " + of.refusal();
    }
    return of.startsAnew()
        ? "there is no checkpoint; training begins anew"
        : "nothing can be restored";
  }

  private static List<String> sources(Explanation of) {
    return of.sources().stream().map(each -> each.level() + "  " + each.place()).toList();
  }

  private static List<String> periods(Explanation of) {
    return of.cadence().stream()
        .map(
            each ->
                each.level()
                    + " every "
                    + Units.count(each.every(), "iteration")
                    + " ("
                    + each.bound()
                    + ")")
        .toList();
  }

  private static List<String> setAside(Explanation of) {
    return of.setAside().stream()
        .map(
            each ->
                each.checkpoint()
                    + " at "
                    + each.level()
                    + ": "
                    + each.file()
                    + (each.replaced()
                        ? ", replaced by a good copy"
                        : ", not replaced: this copy is lost there"))
        .toList();
  }

  private static String levels(List<Level> levels) {
    return levels.stream().map(Level::name).collect(Collectors.joining(", "));
  }

  private static List<String> attempts(List<Attempt> attempts, boolean withRank) {
    return attempts.stream()
        .map(
            each ->
                each.checkpoint()
                    + (withRank ? " rank " + each.rank() : "")
                    + " at "
                    + each.level()
                    + (each.refusal().isEmpty() ? ": good" : ": refused, " + each.refusal()))
        .toList();
  }

  private void section(String title, List<String> lines) {
    if (!lines.isEmpty()) {
      out.println();
      out.println(title);
      lines.forEach(line -> out.println("  " + line));
    }
  }
}

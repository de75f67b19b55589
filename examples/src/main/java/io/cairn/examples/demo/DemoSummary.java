package io.cairn.examples.demo;

import io.cairn.cli.Table;
import io.cairn.cli.Units;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints a {@link DemoReport} for people. */
final class DemoSummary {
  private final DemoReport report;
  private final PrintWriter out;

  DemoSummary(DemoReport report, PrintWriter out) {
    this.report = report;
    this.out = out;
  }

  /**
   * Prints all of it.
   *
   * @param picture where the picture is
   */
  void print(Object picture) {
    out.println();
    printCadence();
    printFolds();
    printFigures();
    out.printf("picture: %s; %s in all%n%n", picture, Units.seconds(report.seconds()));
    printDigests();
    out.flush();
  }

  private void printCadence() {
    out.println("Periods in iterations, and the measurements that they follow from; settings:");
    out.println(
        DemoDriver.CADENCE.entrySet().stream()
            .map(setting -> setting.getKey() + "=" + setting.getValue())
            .collect(Collectors.joining(" ", "  ", "")));
    Table plans =
        new Table(
            "fold",
            ">epoch",
            ">from",
            ">NODE",
            ">STORE",
            "bound",
            ">iteration",
            ">capture",
            ">at NODE",
            ">at STORE",
            ">waste");
    for (CadenceSummary.Plan plan : report.cadence()) {
      CadenceSummary.Measured measured = plan.measured();
      plans.row(
          "fold-" + plan.fold(),
          plan.epoch(),
          plan.atIteration(),
          plan.nodeEvery(),
          plan.storeEvery(),
          plan.bound(),
          millis(measured == null ? null : measured.iterationMillis()),
          millis(measured == null ? null : measured.captureMillis()),
          millis(measured == null ? null : measured.nodeMillis()),
          millis(measured == null ? null : measured.storeMillis()),
          percent(plan.predictedWaste()));
    }
    printTable(plans);
    if (report.waste().isEmpty()) {
      out.printf(
          Locale.ROOT,
          "  No attempt ran for the %.0f s over which predicted and achieved waste can be"
              + " compared%n%n",
          CadenceSummary.SHORTEST_SECONDS);
      return;
    }
    Table waste = new Table("fold", ">epoch", ">time", ">waste predicted", ">achieved");
    report
        .waste()
        .forEach(
            each ->
                waste.row(
                    "fold-" + each.fold(),
                    each.epoch(),
                    Units.seconds(each.seconds()),
                    percent(each.predicted()),
                    percent(each.achieved())));
    printTable(waste);
  }

  private void printTable(Table table) {
    table.lines().forEach(line -> out.println("  " + line));
    out.println();
  }

  private static String millis(@Nullable Double value) {
    return value == null ? "" : Units.seconds(value / 1e3);
  }

  private static String percent(@Nullable Double part) {
    return part == null ? "" : String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  private void printFolds() {
    for (FoldReport fold : report.folds()) {
      out.printf(
          Locale.ROOT,
          "fold-%d  accuracy %.2f %%, captured %d of %d iterations, sealed %d at NODE and %d at"
              + " STORE, %s%n",
          fold.fold(),
          100 * fold.accuracy(),
          fold.captured(),
          fold.iterations(),
          fold.seals().node().size(),
          fold.seals().store().size(),
          story(fold));
    }
  }

  private static String story(FoldReport fold) {
    if (fold.attempts() == 1) {
      return "not hit by a kill";
    } else if (fold.resumes().isEmpty()) {
      return "killed before its first checkpoint was sealed, started anew";
    }
    String resumes =
        fold.resumes().stream()
            .map(FoldReport.Resume::toString)
            .collect(Collectors.joining(", then ", "resumed from ", ""));
    return fold.attemptsAfterEnd() == 0
        ? resumes
        : resumes + "; had ended before, and computed " + fold.iterationsAfterEnd() + " again";
  }

  private void printFigures() {
    long captured = report.folds().stream().mapToLong(FoldReport::captured).sum();
    long iterations = report.folds().stream().mapToLong(FoldReport::iterations).sum();
    DemoReport.StallMillis stall = report.stallMillis();
    out.printf(
        Locale.ROOT,
        "mean accuracy %.2f %%; captured %d of %d iterations, %s each%s%n",
        100 * report.meanAccuracy(),
        captured,
        iterations,
        Units.bytes(report.bytesPerCheckpoint()),
        notCaptured());
    out.printf(
        Locale.ROOT,
        "training stood still for %s (median), %s (p99), %s (longest) per checkpoint, over %d"
            + " checkpoints of all runs%n",
        Units.seconds(stall.p50() / 1e3),
        Units.seconds(stall.p99() / 1e3),
        Units.seconds(stall.max() / 1e3),
        stall.count());
    out.printf(
        Locale.ROOT,
        "the finished job, run again: computed %d iterations in %s%n",
        report.rerunIterations(),
        Units.seconds(report.rerunSeconds()));
  }

  private String notCaptured() {
    Map<String, Long> reasons = new TreeMap<>();
    report
        .folds()
        .forEach(
            fold ->
                fold.notCaptured().forEach((why, count) -> reasons.merge(why, count, Long::sum)));
    return reasons.entrySet().stream()
        .map(reason -> "; " + reason.getValue() + " not captured: " + reason.getKey())
        .collect(Collectors.joining());
  }

  private void printDigests() {
    for (FoldReport fold : report.folds()) {
      out.printf(Locale.ROOT, "fold-%d disturbed   %s%n", fold.fold(), fold.digest());
      out.printf("       undisturbed %s%n", fold.undisturbedDigest());
    }
    report.problems().forEach(problem -> out.println("FAILED: " + problem));
    out.println(
        report.identical()
            ? "SHA-256 of parameters and updater state: identical in all folds"
            : "SHA-256 of parameters and updater state: DIFFERENT");
  }
}

package io.cairn.lab.bench.collaborative;

import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.lab.bench.collaborative.CollaborativeReport.NegativeControl;
import io.cairn.lab.bench.collaborative.CollaborativeReport.OfAlgorithm;
import io.cairn.lab.bench.collaborative.CollaborativeReport.OfCache;
import io.cairn.lab.bench.collaborative.WorkerSetting.SlowLink;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.Samples.Quantiles;
import io.cairn.lab.schedule.Algorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The findings of {@code bench collaborative} as text. */
record CollaborativeText(
    CoordinatorFindings coordinator,
    Optional<ExecutionFindings> executed,
    CollaborativeReport report) {
  /** All that was measured. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.addAll(ofCoordinator());
    executed.ifPresent(findings -> lines.addAll(ofExecution(findings)));
    return lines;
  }

  /** The conditions of success. */
  List<String> bars() {
    Table bars = new Table("bar", ">found", "", ">limit", "");
    for (Bar bar : report.bars()) {
      bars.row(
          bar.name(),
          number(bar.value()),
          bar.relation(),
          number(bar.limit()),
          bar.met() ? "met" : "NOT MET");
    }
    return bars.lines();
  }

  private List<String> ofCoordinator() {
    Table table = new Table("coordinator alone", ">p50 ms", ">p99 ms", ">max ms");
    row(table, "plan of " + coordinator.ranks() + " ranks", coordinator.planMillis());
    row(
        table,
        "round trip of a group of " + coordinator.processes(),
        coordinator.roundTripMillis());
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(
        text(
            "%.0f bytes of heap per report that waits, %.0f per rank afterwards",
            coordinator.waitingBytes(), coordinator.keptBytes()));
    return lines;
  }

  private static void row(Table table, String what, Quantiles millis) {
    table.row(what, number(millis.p50()), number(millis.p99()), number(millis.max()));
  }

  private List<String> ofExecution(ExecutionFindings findings) {
    List<String> lines = new ArrayList<>();
    PlayedMachine machine = findings.machine();
    lines.add("");
    lines.add(
        text(
            "slowed %.0f times, %s for 1 MB; the shortest plan predicts %.0f ms",
            machine.slowdown(),
            Units.decimalBytes((double) machine.chunkBytes()),
            1e3 * findings.leastPredictedSeconds()));
    lines.add(
        text(
            "all links together carry %s/s, of %s/s that one thread copies here",
            Units.decimalBytes(machine.bytesPerSecond()),
            Units.decimalBytes(findings.copyBytesPerSecond())));
    lines.add("");
    lines.addAll(drawings(findings));
    lines.add("");
    lines.addAll(algorithms());
    lines.add("");
    SlowLink slow = findings.slowed();
    Optional.ofNullable(report.negativeControl())
        .ifPresent(control -> lines.add(negativeControl(slow, control)));
    lines.add(Units.decimalBytes((double) report.verifiedBytes()) + " verified, every byte right");
    return lines;
  }

  private List<String> drawings(ExecutionFindings findings) {
    Table table =
        new Table(
            ">cache",
            ">snapshots that share",
            ">of them long enough",
            ">drawn",
            ">model's speed-up",
            ">executed");
    for (int i = 0; i < report.caches().size(); i++) {
      Drawing drawing = findings.drawings().get(i);
      OfCache cache = report.caches().get(i);
      table.row(
          cache.mb() + " MB",
          drawing.shared(),
          drawing.eligible(),
          drawing.moments().size(),
          number(cache.modelSpeedup()),
          number(cache.executedSpeedup()));
    }
    return table.lines();
  }

  private List<String> algorithms() {
    Table table =
        new Table("algorithm", ">blocking p50 ms", ">p95 ms", ">measured ÷ predicted p50", ">p95");
    for (OfAlgorithm each : report.algorithms()) {
      table.row(
          each.name(),
          number(each.blockingMillis().p50()),
          number(each.blockingMillis().p95()),
          number(each.measuredOverPredicted().p50()),
          number(each.measuredOverPredicted().p95()));
    }
    return table.lines();
  }

  private static String negativeControl(SlowLink slow, NegativeControl control) {
    return text(
        "the link from %d to %d at %.1f of its rate: %s times as long as declared, %s measured"
            + " (%s)",
        slow.from(),
        slow.to(),
        slow.factor(),
        number(control.predictedRatio()),
        number(control.measuredRatio()),
        Algorithm.EXACT);
  }

  private static String number(double value) {
    return text(value < 10 ? "%.3f" : "%.1f", value);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

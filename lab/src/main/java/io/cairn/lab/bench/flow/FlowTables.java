package io.cairn.lab.bench.flow;

import io.cairn.cli.Table;
import io.cairn.lab.bench.flow.FlowReport.Allocation;
import io.cairn.lab.bench.flow.FlowReport.Beside;
import io.cairn.lab.bench.flow.FlowReport.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link FlowReport} as tables in plain text. */
final class FlowTables {
  private FlowTables() {}

  /** All lines. */
  static List<String> lines(FlowReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(report.machine().toString());
    lines.add(report.date() + ", each in a JVM with " + String.join(" ", report.jvmArguments()));
    add(lines, "Ours, and the floor", measured(report));
    add(lines, "Rivals on the same instances", rivals(report.rivals()));
    add(lines, "Allocated per solve", allocations(report.allocations()));
    if (report.quick()) {
      lines.addAll(List.of("", "A quick run: too short to rely on, and held against no bar."));
    }
    return lines;
  }

  private static void add(List<String> lines, String title, Table table) {
    if (!table.isEmpty()) {
      lines.addAll(List.of("", title));
      lines.addAll(table.lines());
    }
  }

  private static Table measured(FlowReport report) {
    Table table =
        new Table(
            "what", ">devices", ">NIC GB/s", ">µs", ">±", ">slowest", ">× floor", ">bar", "met");
    for (Measured each : report.measured()) {
      table.row(
          each.kind().title(),
          each.devices(),
          each.network() == null ? "" : each.network(),
          micros(each.micros()),
          micros(each.errorMicros()),
          micros(each.slowestMicros()),
          ratio(each.timesFloor()),
          micros(each.barMicros()),
          each.barMicros() == null || report.quick() ? "" : each.met() ? "met" : "NOT MET");
    }
    return table;
  }

  private static Table rivals(List<Beside> rivals) {
    Table table = new Table("rival", ">devices", ">µs", ">ours µs", ">rival ÷ ours");
    for (Beside each : rivals) {
      table.row(
          each.rival(),
          each.devices(),
          Objects.requireNonNullElseGet(each.why(), () -> micros(each.micros())),
          micros(each.oursMicros()),
          ratio(each.ratio()));
    }
    return table;
  }

  private static Table allocations(List<Allocation> allocations) {
    Table table = new Table(">devices", ">bytes", ">of them the plan");
    for (Allocation each : allocations) {
      table.row(
          each.devices(),
          String.format(Locale.ROOT, "%.0f", each.allocatedBytes()),
          String.format(Locale.ROOT, "%.0f", each.planBytes()));
    }
    return table;
  }

  /** Three digits or more; nothing for what there is not. */
  static String micros(@Nullable Double micros) {
    if (micros == null) {
      return "";
    }
    return String.format(
        Locale.ROOT, micros < 10 ? "%.2f" : micros < 100 ? "%.1f" : "%.0f", micros);
  }

  private static String ratio(@Nullable Double ratio) {
    return ratio == null ? "" : String.format(Locale.ROOT, ratio < 100 ? "%.1f" : "%.0f", ratio);
  }
}

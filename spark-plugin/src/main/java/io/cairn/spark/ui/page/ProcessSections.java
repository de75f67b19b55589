package io.cairn.spark.ui.page;

import io.cairn.spark.ui.model.BoardView;
import io.cairn.spark.ui.model.CacheRow;
import io.cairn.spark.ui.model.MeasuredRow;
import io.cairn.spark.ui.model.PlanRow;
import io.cairn.spark.ui.model.PlanRow.TransferRow;
import io.cairn.spark.ui.model.ProcessView;
import io.cairn.spark.ui.page.StackedBar.Part;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sections about processes and their device caches. */
final class ProcessSections {
  private ProcessSections() {}

  static void caches(Html html, BoardView view) {
    Sections.heading(html, "caches", "Device caches");
    List<ProcessView> processes =
        view.processes().stream().filter(process -> process.cache() != null).toList();
    if (processes.isEmpty()) {
      Sections.empty(html, "The slots of each executor's device cache will appear here.");
      return;
    }
    Colors.legend(html, colors());
    html.open("div", "class", "cairn-scroll")
        .open("table", "class", "table table-sm table-striped cairn-table")
        .open("thead")
        .open("tr");
    List.of("Process", "Host", "Slots", "Use", "Own", "Leased", "Free", "Quarantined", "State")
        .forEach(heading -> html.leaf("th", heading));
    html.close().close().open("tbody");
    processes.forEach(process -> cache(html, process));
    html.close().close().close();
  }

  private static void cache(Html html, ProcessView process) {
    CacheRow cache = process.cache();
    if (cache == null) {
      return;
    }
    html.open("tr").leaf("td", process.process()).leaf("td", process.host());
    html.leaf("td", PageUnits.count(cache.slots()) + " of " + PageUnits.bytes(cache.slotBytes()));
    html.open("td");
    StackedBar.draw(
        html,
        List.of(
            new Part("own: " + cache.own(), cache.own(), Colors.OWN),
            new Part("leased: " + cache.leased(), cache.leased(), Colors.LEASED),
            new Part("quarantined: " + cache.quarantined(), cache.quarantined(), Colors.BAD),
            new Part("free: " + cache.free(), cache.free(), Colors.FREE)));
    html.close();
    for (int slots : new int[] {cache.own(), cache.leased(), cache.free(), cache.quarantined()}) {
      html.leaf("td", PageUnits.count(slots));
    }
    html.leaf("td", state(process)).close();
  }

  private static String state(ProcessView process) {
    return process.isGone()
        ? "gone at " + PageUnits.clock(process.goneMillis()) + ": " + process.goneReason()
        : "reported at " + PageUnits.clock(process.lastMillis());
  }

  private static Map<String, String> colors() {
    Map<String, String> colors = new LinkedHashMap<>();
    colors.put("own", Colors.OWN);
    colors.put("leased to others", Colors.LEASED);
    colors.put("quarantined", Colors.BAD);
    colors.put("free", Colors.FREE);
    return colors;
  }

  static void plan(Html html, BoardView view) {
    Sections.heading(html, "schedule", "Last schedule");
    PlanRow plan = view.plan();
    if (plan == null) {
      Sections.empty(
          html,
          "If a checkpoint does not fit its executor's cache, the plan for its remainder will"
              + " appear here.");
      return;
    }
    html.leaf(
        "p",
        "%s, planned at %s UTC, takes %s by the plan."
            .formatted(
                plan.checkpoint(),
                PageUnits.clock(plan.atMillis()),
                PageUnits.seconds(plan.predictedSeconds())));
    Colors.legend(html, PlanPicture.colors());
    html.open("div", "class", "cairn-scroll");
    new PlanPicture(plan).draw(html);
    html.close();
    transfers(html, plan);
    measured(html, view.measured());
  }

  private static void transfers(Html html, PlanRow plan) {
    HtmlTable table = HtmlTable.begin(html, "From executor", "To", "Bytes", "Predicted");
    for (TransferRow transfer : plan.transfers()) {
      table.row(
          name(plan, transfer.from()),
          to(plan, transfer),
          PageUnits.bytes(transfer.bytes()),
          PageUnits.seconds(transfer.predictedSeconds()));
    }
    table.end();
  }

  private static String to(PlanRow plan, TransferRow transfer) {
    if (transfer.to() >= 0) {
      return name(plan, transfer.to());
    }
    return Double.isNaN(transfer.predictedSeconds()) ? "no place at DEVICE" : "its host memory";
  }

  private static String name(PlanRow plan, int site) {
    return site >= 0 && site < plan.sites().size() ? plan.sites().get(site).process() : "?";
  }

  private static void measured(Html html, List<MeasuredRow> rows) {
    if (rows.isEmpty()) {
      Sections.empty(html, "The measured times will follow when the lenders hold their parts.");
      return;
    }
    HtmlTable table =
        HtmlTable.begin(html, "Rank", "Executor", "Checkpoint", "Leased bytes", "Measured");
    for (MeasuredRow row : rows) {
      table.row(
          row.group() + " · " + row.rank(),
          row.process(),
          row.checkpoint(),
          PageUnits.bytes(row.bytes()),
          PageUnits.seconds(row.seconds()));
    }
    table.end();
  }
}

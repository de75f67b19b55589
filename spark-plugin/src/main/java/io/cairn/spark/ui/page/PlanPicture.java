package io.cairn.spark.ui.page;

import static io.cairn.spark.ui.page.PageUnits.format;

import io.cairn.spark.ui.model.PlanRow;
import io.cairn.spark.ui.model.PlanRow.SiteRow;
import io.cairn.spark.ui.model.PlanRow.TransferRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The last plan on the topology: senders to the left, lenders and host memory to the right, both by
 * machine, with an arrow per transfer. Linear in sites and transfers, which a plan bounds.
 */
final class PlanPicture {
  static final String SAME_MACHINE = "#009e73";
  static final String NETWORK = "#e69f00";
  static final String HOST = Colors.FAINT;
  private static final int WIDTH = 900;
  private static final int BOX = 290;
  private static final int ROW = 52;
  private static final int BOX_HEIGHT = 34;
  private static final int CAPTION = 24;

  private final PlanRow plan;
  private final Map<Integer, Integer> senders = new LinkedHashMap<>();
  private final Map<Integer, Integer> receivers = new LinkedHashMap<>();
  private final Html left = new Html();
  private final Html right = new Html();

  PlanPicture(PlanRow plan) {
    this.plan = plan;
  }

  private boolean isSite(int number) {
    return number >= 0 && number < plan.sites().size();
  }

  /** Transfers whose sites are known. */
  private List<TransferRow> transfers() {
    return plan.transfers().stream()
        .filter(transfer -> isSite(transfer.from()) && (transfer.to() < 0 || isSite(transfer.to())))
        .toList();
  }

  void draw(Html html) {
    List<Integer> from = new ArrayList<>();
    List<Integer> to = new ArrayList<>();
    for (int site = 0; site < plan.sites().size(); site++) {
      (plan.sites().get(site).remainderBytes() > 0 ? from : to).add(site);
    }
    int height =
        Math.max(column(left, from, 0, senders), column(right, to, WIDTH - BOX, receivers));
    boolean toHost = transfers().stream().anyMatch(transfer -> transfer.to() < 0);
    if (toHost) {
      receivers.put(-1, height + BOX_HEIGHT / 2);
      box(
          right,
          WIDTH - BOX,
          height,
          noPlace() ? "no place at DEVICE" : "host memory of the sender",
          "",
          HOST);
      height += ROW;
    }
    html.open(
        "svg",
        "viewBox",
        format("0 0 %d %d", WIDTH, height),
        "class",
        "cairn-picture",
        "role",
        "img",
        "aria-label",
        "the last plan of the desk");
    html.append(left).append(right);
    transfers().forEach(transfer -> arrow(html, transfer));
    html.close();
  }

  /** Draws the sites of a column by machine; returns its height. */
  private int column(Html html, List<Integer> sites, int x, Map<Integer, Integer> middles) {
    Map<String, List<Integer>> machines = new TreeMap<>();
    sites.forEach(
        site ->
            machines
                .computeIfAbsent(plan.sites().get(site).machine(), m -> new ArrayList<>())
                .add(site));
    int y = 0;
    for (Map.Entry<String, List<Integer>> machine : machines.entrySet()) {
      html.leaf("text", "machine " + machine.getKey(), "x", x, "y", y + 16, "fill", Colors.FAINT);
      y += CAPTION;
      for (int site : machine.getValue()) {
        SiteRow row = plan.sites().get(site);
        box(
            html,
            x,
            y,
            "executor " + row.process() + ", device " + row.device(),
            size(row),
            Colors.OWN);
        middles.put(site, y + BOX_HEIGHT / 2);
        y += ROW;
      }
    }
    return y;
  }

  private boolean noPlace() {
    return transfers().stream()
        .anyMatch(transfer -> transfer.to() < 0 && Double.isNaN(transfer.predictedSeconds()));
  }

  private static String size(SiteRow row) {
    return row.remainderBytes() > 0
        ? PageUnits.bytes(row.remainderBytes()) + " do not fit"
        : PageUnits.bytes(row.spareBytes()) + " to spare";
  }

  private static void box(Html html, int x, int y, String name, String size, String color) {
    html.shape(
        "rect",
        "x",
        x + 1,
        "y",
        y,
        "width",
        BOX - 2,
        "height",
        BOX_HEIGHT,
        "rx",
        5,
        "fill",
        Colors.STRIPE,
        "stroke",
        color);
    html.leaf("text", name, "x", x + 10, "y", y + 21, "fill", Colors.TEXT);
    html.leaf(
        "text", size, "x", x + BOX - 10, "y", y + 21, "text-anchor", "end", "fill", Colors.FAINT);
  }

  private void arrow(Html html, TransferRow transfer) {
    Integer start = senders.get(transfer.from());
    Integer end = receivers.get(transfer.to() < 0 ? -1 : transfer.to());
    if (start == null || end == null) {
      return;
    }
    int x1 = BOX;
    int x2 = WIDTH - BOX - 7;
    String color = color(transfer);
    html.shape(
        "path",
        "d",
        format("M%d %dC%d %d %d %d %d %d", x1, start, x1 + 120, start, x2 - 120, end, x2, end),
        "fill",
        "none",
        "stroke",
        color,
        "stroke-width",
        format("%.1f", width(transfer)));
    html.shape(
        "polygon",
        "points",
        format("%d,%d %d,%d %d,%d", x2, end - 5, x2 + 7, end, x2, end + 5),
        "fill",
        color);
    html.leaf(
        "text",
        label(transfer),
        "x",
        x2 - 8,
        "y",
        end - 8,
        "text-anchor",
        "end",
        "class",
        "cairn-halo",
        "fill",
        Colors.TEXT);
  }

  private static String label(TransferRow transfer) {
    String bytes = PageUnits.bytes(transfer.bytes());
    return Double.isNaN(transfer.predictedSeconds())
        ? bytes
        : bytes + " in " + PageUnits.seconds(transfer.predictedSeconds());
  }

  private double width(TransferRow transfer) {
    long most = transfers().stream().mapToLong(TransferRow::bytes).max().orElse(1);
    return 1.5 + 3.0 * transfer.bytes() / Math.max(1, most);
  }

  private String color(TransferRow transfer) {
    if (transfer.to() < 0) {
      return HOST;
    }
    String from = plan.sites().get(transfer.from()).machine();
    return from.equals(plan.sites().get(transfer.to()).machine()) ? SAME_MACHINE : NETWORK;
  }

  static Map<String, String> colors() {
    Map<String, String> colors = new LinkedHashMap<>();
    colors.put("on one machine", SAME_MACHINE);
    colors.put("over the network", NETWORK);
    colors.put("to host memory, or without a place", HOST);
    return colors;
  }
}

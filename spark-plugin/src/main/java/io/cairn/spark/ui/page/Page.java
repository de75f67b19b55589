package io.cairn.spark.ui.page;

import io.cairn.spark.ui.model.BoardView;
import io.cairn.spark.ui.model.CheckpointRow;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The page "Checkpoints". Every section says what will appear while it is empty. */
public final class Page {
  /** Checkpoints in the table, unless all are wanted. */
  public static final int MOST_IN_TABLE = 200;

  private static final String STYLE =
      ".cairn{--cairn-text:#333333;--cairn-faint:#6f6f6f;--cairn-line:#d8d8d8;"
          + "--cairn-paper:#ffffff;--cairn-waiting:#c4c4c4;--cairn-free:#e6e6e6;"
          + "--cairn-stripe:#f5f5f5;--cairn-bad:#b34700;color:var(--cairn-text)}"
          + "@media (prefers-color-scheme:dark){.cairn{--cairn-text:#e4e4e4;--cairn-faint:#a8a8a8;"
          + "--cairn-line:#4a4a4a;--cairn-paper:#1e1e1e;--cairn-waiting:#6a6a6a;"
          + "--cairn-free:#4a4a4a;--cairn-stripe:#272727;--cairn-bad:#ff9a4d;"
          + "background:#161616;padding:12px;border-radius:4px}"
          + ".cairn a{color:#7cc4ef}}"
          + ".cairn h4{margin:26px 0 6px;color:var(--cairn-text)}"
          + ".cairn-scroll{overflow-x:auto;max-width:100%}"
          + ".cairn-picture{display:block;width:100%;min-width:860px;max-width:1110px;"
          + "background:var(--cairn-paper);"
          + "border:1px solid var(--cairn-line);border-radius:4px;padding:6px}"
          + ".cairn-picture text{font:12px sans-serif}"
          + ".cairn-halo{paint-order:stroke;stroke:var(--cairn-paper);stroke-width:4px}"
          + ".cairn-bar{display:block;width:100%;max-width:1110px;height:16px;border-radius:3px}"
          + ".cairn-table{width:auto;min-width:50%;max-width:1110px}"
          + ".cairn-table td .cairn-bar{width:320px}"
          + ".cairn .cairn-table{color:var(--cairn-text);background:none;margin-bottom:6px}"
          + ".cairn .cairn-table>tbody>tr>td{color:inherit;background:none;box-shadow:none;"
          + "border-color:var(--cairn-line)}"
          + ".cairn .cairn-table>tbody>tr:nth-child(odd){background:var(--cairn-stripe)}"
          + ".cairn-table td,.cairn-table th{padding:3px 14px 3px 6px;font-size:13px;"
          + "white-space:nowrap}"
          + ".cairn-table td:last-child{white-space:normal;overflow-wrap:anywhere;min-width:180px}"
          + ".cairn-cards td:nth-child(n+5){white-space:normal;min-width:110px}"
          + ".cairn tr.cairn-bad>td:nth-child(-n+2){color:var(--cairn-bad)!important;"
          + "font-weight:600}"
          + ".cairn tr.cairn-over>td{color:var(--cairn-faint)!important}"
          + ".cairn-legend span{margin-right:16px;white-space:nowrap;font-size:13px}"
          + ".cairn-legend i{display:inline-block;width:12px;height:12px;margin-right:5px;"
          + "border-radius:2px;vertical-align:-1px}"
          + ".cairn-legend{margin:4px 0 6px}.cairn-empty{color:var(--cairn-faint)}"
          + ".cairn-figures{display:flex;flex-wrap:wrap;gap:10px 36px;margin:8px 0}"
          + ".cairn-figures b{display:block;font-size:20px;font-weight:600}"
          + ".cairn-figures span{font-size:12px;color:var(--cairn-faint)}"
          + ".cairn-figures .cairn-bad b{color:var(--cairn-bad)}"
          + ".cairn-alarm{border-left:4px solid #d55e00;padding-left:6px}"
          + "@media (max-width:600px){.cairn-figures{gap:8px 20px}"
          + ".cairn-figures b{font-size:16px}.cairn-table td .cairn-bar{width:140px}"
          + ".cairn-table td,.cairn-table th{padding-right:8px}"
          + ".cairn-cards thead{display:none}.cairn .cairn-cards>tbody>tr{display:flex;"
          + "flex-wrap:wrap;border-bottom:1px solid var(--cairn-line);padding:4px 0}"
          + ".cairn .cairn-cards>tbody>tr>td{border:0;padding:1px 10px 1px 4px;"
          + "white-space:normal;min-width:0}"
          + ".cairn .cairn-cards>tbody>tr>td:last-child{flex:1 0 100%}}"
          + "@media print{.cairn h4{break-after:avoid}}";

  private final BoardView view;
  private final Html html = new Html();

  private Page(BoardView view) {
    this.view = view;
  }

  /**
   * The content of the page, below Spark's own header. Linear in the view.
   *
   * @param all whether the table lists all checkpoints that are known
   */
  public static String of(BoardView view, boolean all) {
    return new Page(view).write(all);
  }

  private String write(boolean all) {
    html.style(STYLE).open("div", "class", "cairn");
    Sections.figures(html, view);
    Sections.alarms(html, view);
    RunningSection.write(html, view);
    RankSections.restores(html, view);
    timeline();
    RankSections.risk(html, view);
    Sections.goodput(html, view);
    RankSections.patterns(html, view);
    ProcessSections.caches(html, view);
    ProcessSections.plan(html, view);
    checkpoints(all);
    return html.close().toString();
  }

  private void timeline() {
    Sections.heading(html, "timeline", "Timeline");
    if (view.checkpoints().isEmpty()) {
      Sections.empty(html, "Each rank will have a lane here, with its checkpoints by level.");
      return;
    }
    Colors.legend(html, TimelinePicture.colors());
    html.open("div", "class", "cairn-scroll");
    new TimelinePicture(view).draw(html);
    html.close();
    StringBuilder note =
        new StringBuilder(
            "The higher a stroke, the farther the level that holds the checkpoint. A triangle is a"
                + " restore, a dashed line an executor that is gone. Times are UTC.");
    int left = TimelinePicture.left(view.ranks());
    if (left > 0) {
      note.append(" The picture leaves out ").append(left).append(" further ranks.");
    }
    html.leaf("p", note, "class", "cairn-empty");
  }

  private void checkpoints(boolean all) {
    Sections.heading(html, "checkpoints", "Newest checkpoints");
    List<CheckpointRow> rows = view.checkpoints();
    if (rows.isEmpty()) {
      Sections.empty(html, "Each checkpoint will be listed here, with its outcome at each level.");
      return;
    }
    int from = all ? 0 : Math.max(0, rows.size() - MOST_IN_TABLE);
    html.open("p", "class", "cairn-empty")
        .text(PageUnits.count(rows.size() - from))
        .text(" are listed; ")
        .text(PageUnits.count(view.unlisted() + from))
        .text(" further ones are counted only. ");
    if (from > 0) {
      html.leaf("a", "List all " + PageUnits.count(rows.size()), "href", "?all=true#checkpoints");
    }
    html.close();
    HtmlTable table =
        HtmlTable.begin(html, "Rank", "Epoch", "Iteration", "Captured", "Size", "Stall", "Levels");
    for (int i = rows.size() - 1; i >= from; i--) {
      row(table, rows.get(i));
    }
    table.end();
  }

  private static void row(HtmlTable table, CheckpointRow row) {
    table.row(
        Sections.name(row.name()),
        row.epoch(),
        row.iteration(),
        PageUnits.date(row.atMillis()),
        row.bytes() == 0 ? "–" : PageUnits.bytes(row.bytes()),
        row.blockedNanos() == 0 ? "–" : PageUnits.seconds(row.blockedNanos() / 1e9),
        levels(row.levels()));
  }

  private static String levels(Map<String, String> outcomes) {
    return outcomes.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}

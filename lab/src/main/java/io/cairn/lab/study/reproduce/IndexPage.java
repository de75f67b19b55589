package io.cairn.lab.study.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The page that shows everything; it needs the files beside it and nothing else. */
final class IndexPage {
  private static final String STYLE =
      """
      body { font: 15px/1.5 system-ui, sans-serif; color: #262b33; margin: 2em auto;
        max-width: 76em; padding: 0 1.5em; }
      h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5em; border-top: 1px solid #d5d9e0;
        padding-top: 1em; }
      .source, .files, caption { color: #5a6270; font-size: 90%; } caption { text-align: left; }
      a { color: #1f5fa8; }
      img { max-width: 100%; height: auto; display: block; margin: 1em 0; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; font-size: 85%; margin: 1em 0; }
      th, td { padding: .2em .45em; text-align: left; vertical-align: top; }
      th { border-bottom: 2px solid #262b33; vertical-align: bottom; }
      td { border-bottom: 1px solid #d5d9e0; font-variant-numeric: tabular-nums; }
      .n { text-align: right; white-space: nowrap; } .p { color: #5a6270; }
      .differs, .differs a { color: #c0393b; font-weight: 600; }
      .note { margin: .4em 0; }
      @media print { @page { size: A4 landscape; margin: 12mm; } body { font-size: 10px;
        max-width: none; margin: 0; padding: 0; } .wide { overflow: visible; }
        table { font-size: 7.5px; } img { max-height: 150mm; } tr, img { break-inside: avoid; }
        h2 { break-after: avoid; } }
      """;

  private static final long ENOUGH_RUNS = 500_000;

  private final List<Finding> findings;
  private final long runs;
  private final long seed;
  private final HtmlPage html = new HtmlPage();

  IndexPage(List<Finding> findings, long runs, long seed) {
    this.findings = findings;
    this.runs = runs;
    this.seed = seed;
  }

  /** Writes {@code index.html}; returns it. */
  Path write(Path directory) throws IOException {
    Path file = directory.resolve("index.html");
    Files.writeString(file, page());
    return file;
  }

  private String page() {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
        .element("title", "Published tables and figures, computed again")
        .raw("<style>\n" + STYLE + "</style>\n</head>\n<body>\n");
    opening();
    overview();
    differences();
    findings.forEach(this::section);
    return html.raw("</body>\n</html>\n").toString();
  }

  private void opening() {
    html.element("h1", "Published tables and figures, computed again");
    html.element(
        "p",
        String.format(
            Locale.ROOT,
            "What three papers on multi-level, non-blocking and heterogeneous checkpointing print"
                + " and draw, computed by Cairn. Printed numbers stand in grey beside ours."
                + " Overheads are extra run time per work. Simulated numbers are means of %,d runs"
                + " with seed %d.%s",
            runs,
            seed,
            runs < ENOUGH_RUNS ? " They are too few for small differences to mean anything." : ""));
    html.element(
        "p",
        "A number agrees if it rounds to the printed one, or keeps to what the text says of it."
            + " “Last digit” is less than 1 in the last printed digit away, as a number that was"
            + " cut off; “within scatter” is no further away than simulated means may be.");
  }

  private void overview() {
    html.element("h2", "Overview");
    html.raw("<div class=\"wide\"><table id=\"overview\">\n<tr><th>exhibit</th>")
        .raw("<th class=\"n\">printed</th><th class=\"n\">agree</th>")
        .raw("<th class=\"n\">last digit</th><th class=\"n\">within scatter</th>")
        .raw("<th class=\"n\">differ</th><th>verdict</th></tr>\n");
    for (Finding each : findings) {
      html.raw(
          "<tr><td><a href=\"#" + each.id() + "\">" + HtmlPage.escaped(each.title()) + "</a></td>");
      number(each.comparisons().size());
      for (Agreement agreement : Agreement.values()) {
        number(each.count(agreement));
      }
      html.element("td", attributes(each.count(Agreement.DIFFERS) > 0, false), each.verdict());
      html.raw("</tr>\n");
    }
    html.raw("</table></div>\n<p class=\"files\">All comparisons: ");
    link(ComparisonTable.NAME + ".csv");
    html.raw("</p>\n");
  }

  private void number(long value) {
    html.element("td", "class=\"n\"", Long.toString(value));
  }

  private void differences() {
    html.element("h2", "What does not reproduce");
    List<Finding> some =
        findings.stream().filter(each -> each.count(Agreement.DIFFERS) > 0).toList();
    if (some.isEmpty()) {
      html.element("p", "Nothing: every printed number does.");
      return;
    }
    for (Finding finding : some) {
      html.element("h3", finding.title());
      comparisons(
          finding.comparisons().stream()
              .filter(each -> each.agreement() == Agreement.DIFFERS)
              .toList());
    }
  }

  private void section(Finding finding) {
    html.element("h2", "id=\"" + finding.id() + "\"", finding.title());
    html.element("p", "class=\"source\"", finding.source());
    html.element("p", finding.summary());
    for (String picture : finding.pictures()) {
      html.raw("<a href=\"" + picture + ".svg\"><img src=\"" + picture + ".svg\" alt=\"")
          .raw(HtmlPage.escaped(finding.title()) + "\"/></a>\n");
    }
    for (Note note : finding.notes()) {
      html.raw("<p class=\"note\"><b>" + note.kind() + ".</b> " + HtmlPage.escaped(note.text()))
          .raw("</p>\n");
    }
    if (!finding.comparisons().isEmpty() && finding.comparisons().size() <= 20) {
      comparisons(finding.comparisons());
    }
    finding.tables().forEach(this::table);
    files(finding);
  }

  private void files(Finding finding) {
    html.raw("<p class=\"files\">Files: ");
    for (String picture : finding.pictures()) {
      link(picture + ".svg");
      link(picture + ".png");
    }
    finding.tables().forEach(table -> link(table.name() + ".csv"));
    if (finding.tables().isEmpty()) {
      link(ComparisonTable.NAME + ".csv");
    }
    html.raw("</p>\n");
  }

  private void link(String file) {
    html.raw("<a href=\"" + file + "\">" + file + "</a> ");
  }

  private void comparisons(List<Comparison> comparisons) {
    html.raw("<div class=\"wide\"><table>\n<tr><th>of</th><th class=\"n\">printed</th>")
        .raw("<th class=\"n\">ours</th><th class=\"n\">deviation</th><th>agreement</th>")
        .raw("<th>why</th></tr>\n");
    for (Comparison each : comparisons) {
      boolean differs = each.agreement() == Agreement.DIFFERS;
      html.raw("<tr>").element("td", each.what());
      html.element("td", "class=\"n p\"", each.printed());
      html.element("td", "class=\"n\"", Cell.number(each.ours()).shown());
      html.element("td", "class=\"n\"", Cell.deviation(each.deviation()).shown());
      html.element("td", attributes(differs, false), each.agreement().toString());
      Note note = each.note();
      html.element("td", differs && note != null ? note.kind() + ": " + note.text() : "");
      html.raw("</tr>\n");
    }
    html.raw("</table></div>\n");
  }

  private void table(DataTable table) {
    html.raw("<div class=\"wide\"><table>\n").element("caption", table.caption()).raw("<tr>");
    List<DataTable.Column> columns = table.columns();
    for (int index = 0; index < columns.size(); index++) {
      boolean numeric = table.rows().get(0).get(index).numeric();
      html.element("th", numeric ? "class=\"n\"" : "", columns.get(index).title());
    }
    html.raw("</tr>\n");
    for (List<Cell> row : table.rows()) {
      html.raw("<tr>");
      for (int index = 0; index < row.size(); index++) {
        Cell cell = row.get(index);
        boolean differs = cell.shown().equals(Agreement.DIFFERS.toString());
        boolean printed = columns.get(index).key().contains("_printed");
        String shade = printed ? "class=\"n p\"" : attributes(differs, cell.numeric());
        html.element("td", shade, cell.shown());
      }
      html.raw("</tr>\n");
    }
    html.raw("</table></div>\n");
  }

  private static String attributes(boolean differs, boolean numeric) {
    if (differs) {
      return "class=\"differs\"";
    }
    return numeric ? "class=\"n\"" : "";
  }
}

package io.cairn.spark.ui.page;

import java.util.List;

/** A table that needs no script. The first column is text; later ones may be numbers. */
final class HtmlTable {
  private final Html html;

  private HtmlTable(Html html) {
    this.html = html;
  }

  /** Begins a table with these headings; one that begins with "#" is of a column of numbers. */
  static HtmlTable begin(Html html, String... headings) {
    return begin("cairn-table", html, headings);
  }

  /** The same, whose rows are cards on a narrow page: each cell says by itself what it is. */
  static HtmlTable cards(Html html, String... headings) {
    return begin("cairn-table cairn-cards", html, headings);
  }

  private static HtmlTable begin(String styles, Html html, String... headings) {
    html.open("div", "class", "cairn-scroll")
        .open("table", "class", "table table-sm table-striped " + styles)
        .open("thead")
        .open("tr");
    for (String heading : headings) {
      html.leaf("th", heading.startsWith("#") ? heading.substring(1) : heading);
    }
    html.close().close().open("tbody");
    return new HtmlTable(html);
  }

  HtmlTable row(Object... cells) {
    return row(List.of(cells));
  }

  /** A row whose cells have this class of the style. */
  HtmlTable row(String style, List<?> cells) {
    html.open("tr", "class", style);
    cells.forEach(cell -> html.leaf("td", cell));
    html.close();
    return this;
  }

  HtmlTable row(List<?> cells) {
    html.open("tr");
    cells.forEach(cell -> html.leaf("td", cell));
    html.close();
    return this;
  }

  void end() {
    html.close().close().close();
  }
}

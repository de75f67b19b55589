package io.cairn.spark.ui.page;

import java.util.List;

/** A bar whose parts add up to its width. */
final class StackedBar {
  private static final int WIDTH = 1_000;
  private static final int HEIGHT = 14;

  private StackedBar() {}

  /**
   * One part.
   *
   * @param amount not negative
   */
  record Part(String label, double amount, String color) {}

  static void draw(Html html, List<Part> parts) {
    double all = parts.stream().mapToDouble(Part::amount).sum();
    html.open(
        "svg",
        "viewBox",
        "0 0 " + WIDTH + " " + HEIGHT,
        "preserveAspectRatio",
        "none",
        "class",
        "cairn-bar");
    double left = 0;
    for (Part part : parts) {
      double width = all > 0 ? WIDTH * part.amount() / all : 0;
      if (width > 0) {
        html.titled(
            "rect",
            part.label(),
            "x",
            PageUnits.format("%.2f", left),
            "y",
            0,
            "width",
            PageUnits.format("%.2f", width),
            "height",
            HEIGHT,
            "fill",
            part.color());
      }
      left += width;
    }
    html.close();
  }
}

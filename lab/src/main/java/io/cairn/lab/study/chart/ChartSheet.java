package io.cairn.lab.study.chart;

import java.awt.Graphics2D;
import java.io.IOException;
import java.util.List;
import org.knowm.xchart.internal.chartpart.Chart;

/** Charts beside and below each other in one picture. Not thread-safe, as charts are not. */
public final class ChartSheet {
  private final List<? extends Chart<?, ?>> panels;
  private final int columns;
  private final int panelWidth;
  private final int panelHeight;

  /**
   * A sheet.
   *
   * @param columns how many charts stand beside each other
   * @param panels at least one, all of the first one's size, row by row
   */
  public ChartSheet(int columns, List<? extends Chart<?, ?>> panels) {
    this.panels = List.copyOf(panels);
    this.columns = Math.min(columns, panels.size());
    this.panelWidth = panels.get(0).getWidth();
    this.panelHeight = panels.get(0).getHeight();
  }

  /** Writes the sheet among pictures, under this name. */
  public void save(Pictures pictures, String name) throws IOException {
    int rows = (panels.size() + columns - 1) / columns;
    pictures.save(name, columns * panelWidth, rows * panelHeight, this::draw);
  }

  private void draw(Graphics2D graphics) {
    for (int panel = 0; panel < panels.size(); panel++) {
      Graphics2D part = (Graphics2D) graphics.create();
      part.translate(panel % columns * panelWidth, panel / columns * panelHeight);
      panels.get(panel).paint(part, panelWidth, panelHeight);
      part.dispose();
    }
  }
}

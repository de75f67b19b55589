package io.cairn.cli.chart;

import de.erichseifert.vectorgraphics2d.Document;
import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.internal.chartpart.Chart;

/** Charts side by side in one file. Immutable; the charts themselves are not. */
public final class ChartSheet {
  private static final int SCALE = 2;

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

  /**
   * Writes {@code <name>.png} and {@code <name>.svg}; replaces what was there, and makes the
   * directory.
   *
   * @throws IOException naming the file, also if Java finds no font on this machine
   */
  public void write(Path directory, String name) throws IOException {
    Files.createDirectories(directory);
    try {
      writePng(directory.resolve(name + ".png"));
      writeSvg(directory.resolve(name + ".svg"));
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(name + " cannot be drawn: " + e.getMessage(), e);
    } catch (RuntimeException | LinkageError e) {
      throw new IOException(
          directory.resolve(name)
              + " not drawn: "
              + e.getMessage()
              + " (install fonts, such as fonts-dejavu-core)",
          e);
    }
  }

  private void writePng(Path file) throws IOException {
    BufferedImage image =
        new BufferedImage(SCALE * width(), SCALE * height(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.scale(SCALE, SCALE);
    paint(graphics);
    graphics.dispose();
    if (!ImageIO.write(image, "png", file.toFile())) {
      throw new IOException(file + ": this Java writes no PNG");
    }
  }

  private void writeSvg(Path file) throws IOException {
    VectorGraphics2D graphics = new VectorGraphics2D();
    paint(graphics);
    Document document =
        Processors.get("svg")
            .getDocument(graphics.getCommands(), new PageSize(0, 0, width(), height()));
    try (OutputStream out = Files.newOutputStream(file)) {
      document.writeTo(out);
    }
  }

  private void paint(Graphics2D graphics) {
    for (int panel = 0; panel < panels.size(); panel++) {
      Graphics2D part = (Graphics2D) graphics.create();
      part.translate(panel % columns * panelWidth, panel / columns * panelHeight);
      panels.get(panel).paint(part, panelWidth, panelHeight);
      part.dispose();
    }
  }

  private int width() {
    return columns * panelWidth;
  }

  private int height() {
    return (panels.size() + columns - 1) / columns * panelHeight;
  }
}

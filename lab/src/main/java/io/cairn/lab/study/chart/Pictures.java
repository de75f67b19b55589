package io.cairn.lab.study.chart;

import de.erichseifert.vectorgraphics2d.Document;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
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
import java.util.Locale;
import javax.imageio.ImageIO;
import org.knowm.xchart.internal.chartpart.Chart;

/** Writes pictures, each as {@code NAME.svg} and {@code NAME.png}; the latter twice as fine. */
public final class Pictures {
  private static final int PIXELS_PER_POINT = 2;
  private static final int LONGEST_NAME = 80;

  private final Path directory;

  /** A drawing; it draws the same each time. */
  public interface Drawing {
    /** Draws within (0, 0) and the picture's width and height. */
    void draw(Graphics2D graphics);
  }

  /**
   * Pictures in a directory, which is made if it is missing.
   *
   * @throws IOException if it cannot be made
   */
  public Pictures(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  /** A name without its ending: the number, and as much of the text as a file's name can hold. */
  public static String fileName(long number, String text) {
    String safe = text.replaceAll("[^A-Za-z0-9._-]", "_");
    String part = safe.substring(0, Math.min(LONGEST_NAME, safe.length()));
    return String.format(Locale.ROOT, "%04d-%s", number, part);
  }

  /** Writes a chart; returns the files. */
  public List<Path> save(String name, Chart<?, ?> chart) throws IOException {
    int width = chart.getWidth();
    int height = chart.getHeight();
    return save(name, width, height, graphics -> chart.paint(graphics, width, height));
  }

  /**
   * Writes a drawing; returns the files.
   *
   * @throws IOException naming a file that cannot be written, also if Java finds no font on this
   *     machine
   */
  public List<Path> save(String name, int width, int height, Drawing drawing) throws IOException {
    try {
      return write(name, width, height, drawing);
    } catch (NullPointerException | InternalError | LinkageError e) { // as Java says "no fonts"
      throw new IOException(
          "%s not drawn: %s (install fonts, such as fonts-dejavu-core)"
              .formatted(directory.resolve(name), e.getMessage()),
          e);
    }
  }

  private List<Path> write(String name, int width, int height, Drawing drawing) throws IOException {
    Path svg = directory.resolve(name + ".svg");
    Path png = directory.resolve(name + ".png");
    try (OutputStream out = Files.newOutputStream(svg)) {
      VectorGraphics2D graphics = new VectorGraphics2D();
      drawing.draw(graphics);
      Document document =
          new SVGProcessor().getDocument(graphics.getCommands(), new PageSize(width, height));
      document.writeTo(out);
    }
    try (OutputStream out = Files.newOutputStream(png)) {
      if (!ImageIO.write(raster(width, height, drawing), "png", out)) {
        throw new IOException(png + ": this Java has no encoder for PNG");
      }
    }
    return List.of(svg, png);
  }

  private static BufferedImage raster(int width, int height, Drawing drawing) {
    BufferedImage image =
        new BufferedImage(
            width * PIXELS_PER_POINT, height * PIXELS_PER_POINT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.scale(PIXELS_PER_POINT, PIXELS_PER_POINT);
      graphics.setColor(Color.WHITE);
      graphics.fillRect(0, 0, width, height);
      drawing.draw(graphics);
    } finally {
      graphics.dispose();
    }
    return image;
  }
}

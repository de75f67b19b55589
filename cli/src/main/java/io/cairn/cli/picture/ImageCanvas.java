package io.cairn.cli.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.font.TextLayout;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.util.List;

/** Draws an image in twice the resolution, with the machine's sans-serif font. Not thread-safe. */
public final class ImageCanvas implements Canvas {
  private static final int SCALE = 2;
  private static final BasicStroke RIM =
      new BasicStroke(3, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);

  private final BufferedImage image;
  private final Graphics2D graphics;

  /** An empty white canvas of this many pixels. */
  public ImageCanvas(int width, int height) {
    image = new BufferedImage(SCALE * width, SCALE * height, BufferedImage.TYPE_INT_RGB);
    graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.scale(SCALE, SCALE);
  }

  /** The image so far. */
  public BufferedImage image() {
    return image;
  }

  @Override
  public void line(List<Spot> through, Pen pen) {
    stroke(path(through), pen);
  }

  @Override
  public void shape(List<Spot> corners, int fillRgb) {
    Path2D path = path(corners);
    path.closePath();
    graphics.setColor(new Color(fillRgb));
    graphics.fill(path);
  }

  @Override
  public void disc(Spot centre, double radius, int fillRgb, Pen rim) {
    Shape disc =
        new Ellipse2D.Double(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius);
    graphics.setColor(new Color(fillRgb));
    graphics.fill(disc);
    stroke(disc, rim);
  }

  @Override
  public void text(Spot at, String text, TextStyle style) {
    Font font =
        new Font(Font.SANS_SERIF, style.bold() ? Font.BOLD : Font.PLAIN, 1)
            .deriveFont((float) style.size());
    TextLayout layout = new TextLayout(text, font, graphics.getFontRenderContext());
    double left =
        switch (style.anchor()) {
          case START -> 0;
          case MIDDLE -> layout.getAdvance() / 2;
          case END -> layout.getAdvance();
        };
    Shape outline = layout.getOutline(AffineTransform.getTranslateInstance(at.x() - left, at.y()));
    graphics.setColor(Color.WHITE);
    graphics.setStroke(RIM);
    graphics.draw(outline);
    graphics.setColor(new Color(style.rgb()));
    graphics.fill(outline);
  }

  private void stroke(Shape shape, Pen pen) {
    float[] dash = {(float) Math.max(1, pen.dash())};
    graphics.setStroke(
        new BasicStroke(
            (float) pen.width(),
            BasicStroke.CAP_BUTT,
            BasicStroke.JOIN_ROUND,
            1,
            pen.dash() == 0 ? null : dash,
            0));
    graphics.setColor(new Color(pen.rgb()));
    graphics.draw(shape);
  }

  private static Path2D path(List<Spot> spots) {
    Path2D path = new Path2D.Double();
    path.moveTo(spots.get(0).x(), spots.get(0).y());
    spots.subList(1, spots.size()).forEach(spot -> path.lineTo(spot.x(), spot.y()));
    return path;
  }
}

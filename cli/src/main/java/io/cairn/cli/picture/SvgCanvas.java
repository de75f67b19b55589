package io.cairn.cli.picture;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Draws an SVG; needs no fonts on this machine. Not thread-safe. */
public final class SvgCanvas implements Canvas {
  private final StringBuilder body = new StringBuilder();
  private final int width;
  private final int height;

  /** An empty white canvas of this many pixels. */
  public SvgCanvas(int width, int height) {
    this.width = width;
    this.height = height;
  }

  /** The whole file. */
  public String svg() {
    return String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\""
                + " viewBox=\"0 0 %1$d %2$d\" font-family=\"DejaVu Sans, Helvetica, Arial,"
                + " sans-serif\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n",
            width,
            height)
        + body
        + "</svg>\n";
  }

  @Override
  public void line(List<Spot> through, Pen pen) {
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke-linejoin=\"round\" %s/>",
        points(through), stroke(pen));
  }

  @Override
  public void shape(List<Spot> corners, int fillRgb) {
    add("<polygon points=\"%s\" fill=\"%s\"/>", points(corners), colour(fillRgb));
  }

  @Override
  public void disc(Spot centre, double radius, int fillRgb, Pen rim) {
    add(
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" %s/>",
        centre.x(), centre.y(), radius, colour(fillRgb), stroke(rim));
  }

  @Override
  public void text(Spot at, String text, TextStyle style) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" font-weight=\"%s\" text-anchor=\"%s\""
            + " fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">%s</text>",
        at.x(),
        at.y(),
        style.size(),
        style.bold() ? "bold" : "normal",
        style.anchor().name().toLowerCase(Locale.ROOT),
        colour(style.rgb()),
        escaped(text));
  }

  @Override
  public void named(String name, Runnable drawing) {
    add("<g><title>%s</title>", escaped(name));
    drawing.run();
    add("</g>");
  }

  private void add(String format, Object... arguments) {
    body.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  /** Text as XML holds it; what XML cannot hold at all becomes a replacement character. */
  private static String escaped(String text) {
    return text.replaceAll("[^\\t\\n\\r -\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "\uFFFD")
        .replace("&", "&amp;")
        .replace("<", "&lt;");
  }

  private static String points(List<Spot> spots) {
    return spots.stream()
        .map(spot -> String.format(Locale.ROOT, "%.1f,%.1f", spot.x(), spot.y()))
        .collect(Collectors.joining(" "));
  }

  private static String stroke(Pen pen) {
    String dash =
        pen.dash() == 0 ? "" : String.format(Locale.ROOT, " stroke-dasharray=\"%.1f\"", pen.dash());
    return String.format(
        Locale.ROOT, "stroke=\"%s\" stroke-width=\"%.1f\"%s", colour(pen.rgb()), pen.width(), dash);
  }

  private static String colour(int rgb) {
    return String.format(Locale.ROOT, "#%06x", rgb);
  }
}

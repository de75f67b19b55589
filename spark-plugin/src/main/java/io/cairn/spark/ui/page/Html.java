package io.cairn.spark.ui.page;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/**
 * Writes HTML and SVG. Text and values of attributes are escaped; names of tags and attributes are
 * constants of this package, and others are refused. Not thread-safe.
 */
final class Html {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9:-]*");

  private final StringBuilder out = new StringBuilder(1 << 14);
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * Begins an element.
   *
   * @param attributes names and values by turns
   */
  Html open(String tag, Object... attributes) {
    start(tag, attributes).append('>');
    open.push(tag);
    return this;
  }

  private StringBuilder start(String tag, Object... attributes) {
    out.append('<').append(name(tag));
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(name(attributes[i].toString())).append("=\"");
      escape(attributes[i + 1].toString());
      out.append('"');
    }
    return out;
  }

  private static String name(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("no name of a tag or an attribute: " + name);
    }
    return name;
  }

  /** Ends the element that was begun last. */
  Html close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** Adds text. */
  Html text(Object text) {
    escape(text.toString());
    return this;
  }

  /** An element with text alone. */
  Html leaf(String tag, Object text, Object... attributes) {
    return open(tag, attributes).text(text).close();
  }

  /** An element of a picture, which has no content. */
  Html shape(String tag, Object... attributes) {
    start(tag, attributes).append("/>");
    return this;
  }

  /** An element of a picture with a text that shows under the pointer. */
  Html titled(String tag, String title, Object... attributes) {
    return open(tag, attributes).leaf("title", title).close();
  }

  /** Adds what another writer has finished. */
  Html append(Html other) {
    out.append(other);
    return this;
  }

  /** Style sheets are constants of this package. */
  Html style(String constant) {
    out.append("<style>").append(constant).append("</style>");
    return this;
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(Character.isISOControl(c) && c != '\n' ? '\uFFFD' : c);
      }
    }
  }

  /** The text so far, of which every element is ended. */
  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not ended: " + open);
    }
    return out.toString();
  }
}

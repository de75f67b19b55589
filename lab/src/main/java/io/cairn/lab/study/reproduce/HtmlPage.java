package io.cairn.lab.study.reproduce;

/** Builds a page of well-formed HTML, which is also XML. Not thread-safe. */
final class HtmlPage {
  private final StringBuilder text = new StringBuilder();

  /** Adds markup as it is. */
  HtmlPage raw(String markup) {
    text.append(markup);
    return this;
  }

  /** Adds an element around text. */
  HtmlPage element(String name, String content) {
    return element(name, "", content);
  }

  /**
   * Adds an element around text.
   *
   * @param attributes markup, or empty
   */
  HtmlPage element(String name, String attributes, String content) {
    text.append('<').append(name);
    if (!attributes.isEmpty()) {
      text.append(' ').append(attributes);
    }
    text.append('>').append(escaped(content)).append("</").append(name).append(">\n");
    return this;
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

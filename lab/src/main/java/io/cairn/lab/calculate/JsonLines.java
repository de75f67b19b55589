package io.cairn.lab.calculate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.cli.Json;
import io.cairn.cli.Lines;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * JSON lines in, the same lines with more members out. One object per line; empty lines are left
 * out. The first line that is wrong ends it, named by its number.
 */
final class JsonLines {
  private static final int MAX_BYTES = 1 << 20;

  /** The members that are added to a line. */
  interface Answer {
    /**
     * Adds members to an object.
     *
     * @throws IllegalArgumentException naming the member that is wrong
     */
    void addTo(ObjectNode line);
  }

  private JsonLines() {}

  /**
   * Answers every line.
   *
   * @param input a file, or {@code -} for {@code standardIn}
   * @throws IOException naming input and line, if one cannot be read or answered
   */
  static void answer(String input, InputStream standardIn, PrintWriter out, Answer answer)
      throws IOException {
    if (input.equals("-")) {
      answer("standard input", new Lines(standardIn), out, answer);
      return;
    }
    try (Lines file = new Lines(Files.newInputStream(Path.of(input)))) {
      answer(input, file, out, answer);
    }
  }

  private static void answer(String name, Lines in, PrintWriter out, Answer answer)
      throws IOException {
    while (in.next()) {
      try {
        String line = in.text(MAX_BYTES);
        if (!line.isBlank()) {
          out.println(answered(line, answer));
          out.flush();
        }
      } catch (IOException | IllegalArgumentException e) {
        throw new IOException(name + ": line " + in.number() + ": " + e.getMessage(), e);
      }
    }
  }

  private static String answered(String line, Answer answer) throws IOException {
    JsonNode node;
    try {
      node = Json.tree(line);
    } catch (JsonProcessingException e) {
      throw new IOException("not JSON: " + e.getOriginalMessage(), e);
    }
    if (!(node instanceof ObjectNode object)) {
      throw new IOException("not a JSON object");
    }
    answer.addTo(object);
    return object.toString();
  }

  /** A number by its name. */
  static double number(JsonNode of, String name) {
    JsonNode value = of.get(name);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("no \"" + name + "\"");
    }
    if (value.isTextual()) {
      // JSON has no NaN and no infinity; a text gets a message that names the value.
      try {
        return Double.parseDouble(value.textValue());
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("\"" + name + "\" must be a number, not " + value, e);
      }
    }
    if (!value.isNumber()) {
      throw new IllegalArgumentException("\"" + name + "\" must be a number, not " + value);
    }
    return value.doubleValue();
  }

  static double number(JsonNode of, String name, double otherwise) {
    return of.hasNonNull(name) ? number(of, name) : otherwise;
  }

  /** A whole number by its name. */
  static int integer(JsonNode of, String name) {
    double value = number(of, name);
    if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("\"" + name + "\" must be a whole number, not " + value);
    }
    return (int) value;
  }

  static boolean flag(JsonNode of, String name, boolean otherwise) {
    JsonNode value = of.get(name);
    if (value == null || value.isNull()) {
      return otherwise;
    }
    if (!value.isBoolean()) {
      throw new IllegalArgumentException("\"" + name + "\" must be true or false, not " + value);
    }
    return value.booleanValue();
  }

  /** The member {@code params}, or the line itself. */
  static JsonNode params(ObjectNode line) {
    JsonNode params = line.get("params");
    if (params == null) {
      return line;
    }
    if (!params.isObject()) {
      throw new IllegalArgumentException("\"params\" must be an object, not " + params);
    }
    return params;
  }
}

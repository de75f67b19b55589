package io.cairn.lab.study.line;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.Json;
import io.cairn.cli.Lines;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that answers JSON lines, one object per line; empty lines are left out. The first line
 * that is wrong ends it, named by its number.
 */
public abstract class LineCommand implements Callable<Integer> {
  private static final int MAX_BYTES = 1 << 20;

  @Option(
      names = "--input",
      required = true,
      paramLabel = "FILE",
      description = "Lines of JSON; - for standard input.")
  private String input = "-";

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * Turns the object of a line into its answer.
   *
   * @throws IllegalArgumentException naming the member that is wrong
   * @throws IOException if something beside the answer cannot be written
   */
  protected abstract void answer(ObjectNode line) throws IOException;

  @Override
  public final Integer call() throws IOException {
    if (input.equals("-")) {
      answerAll("standard input", new Lines(System.in));
      return ExitCodes.GOOD;
    }
    try (Lines file = new Lines(Files.newInputStream(Path.of(input)))) {
      answerAll(input, file);
    }
    return ExitCodes.GOOD;
  }

  private void answerAll(String name, Lines in) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    while (in.next()) {
      try {
        String line = in.text(MAX_BYTES);
        if (!line.isBlank()) {
          out.println(answered(line));
        }
      } catch (IOException | IllegalArgumentException e) {
        throw new IOException(name + ": line " + in.number() + ": " + e.getMessage(), e);
      }
    }
  }

  private String answered(String line) throws IOException {
    JsonNode node;
    try {
      node = Json.tree(line);
    } catch (JsonProcessingException e) {
      throw new IOException("not JSON: " + e.getOriginalMessage(), e);
    }
    if (!(node instanceof ObjectNode object)) {
      throw new IOException("not a JSON object");
    }
    answer(object);
    return object.toString();
  }

  /**
   * A number by its name.
   *
   * @throws IllegalArgumentException if there is none
   */
  protected static double number(JsonNode of, String name) {
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

  /** A number by its name, or another one if it is missing. */
  protected static double number(JsonNode of, String name, double otherwise) {
    return of.hasNonNull(name) ? number(of, name) : otherwise;
  }

  /**
   * A whole number by its name.
   *
   * @throws IllegalArgumentException if there is none, or it is no {@code int}
   */
  public static int integer(JsonNode of, String name) {
    double value = number(of, name);
    if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("\"" + name + "\" must be a whole number, not " + value);
    }
    return (int) value;
  }

  /** True or false by its name, or {@code otherwise} if it is missing. */
  protected static boolean flag(JsonNode of, String name, boolean otherwise) {
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
  protected static JsonNode params(ObjectNode line) {
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

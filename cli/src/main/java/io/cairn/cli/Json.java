package io.cairn.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * JSON that commands read and print. Readers refuse deep nesting, long strings and numbers,
 * repeated members, and text after the value. A record becomes an object with its components as
 * members, in their order; a list becomes an array. Thread-safe.
 */
public final class Json {
  /** Characters of a string or number that is read. */
  public static final int LONGEST_TOKEN = 1 << 14;

  private static final int DEEPEST_NESTING = 16;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST_NESTING)
                  .maxNumberLength(LONGEST_TOKEN)
                  .maxStringLength(LONGEST_TOKEN)
                  .build())
          .build();

  private static final JsonMapper MAPPER =
      JsonMapper.builder(FACTORY).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private Json() {}

  /**
   * The JSON text of a value, indented, without a newline at its end.
   *
   * @param value records, collections, maps, strings, numbers, booleans, enums and arrays of these
   * @throws IllegalArgumentException if it holds something else
   */
  public static String text(Object value) {
    try {
      return MAPPER.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON for " + value.getClass() + ": " + e, e);
    }
  }

  /**
   * Writes a value as a file; replaces an older file, and makes the directories above it.
   *
   * @throws IOException naming the file, if it cannot be written
   */
  public static void write(Path file, Object value) throws IOException {
    makeDirectories(file);
    Files.writeString(file, text(value) + "\n");
  }

  /** Makes the directories above a file; one that is a link stays. */
  static void makeDirectories(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      Files.createDirectories(directory);
    }
  }

  /**
   * Reads a file that {@link #write} wrote.
   *
   * @param type a record that has the file's members
   * @throws IOException naming the file, and line and column where it does not fit
   */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    try {
      return MAPPER.readValue(Files.readString(file), type);
    } catch (JsonProcessingException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /** Reads a stream as {@link #read(Path, Class)} reads a file. */
  public static <T> T read(InputStream in, Class<T> type) throws IOException {
    return MAPPER.readValue(in, type);
  }

  /**
   * Reads one value of any form.
   *
   * @throws JsonProcessingException if the text is something else
   */
  public static JsonNode tree(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }

  /** A parser for values that are too large for memory. The caller closes it. */
  public static JsonParser parser(InputStream in) throws IOException {
    return FACTORY.createParser(in);
  }
}

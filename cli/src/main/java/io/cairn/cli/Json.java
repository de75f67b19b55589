package io.cairn.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What commands print with {@code --json}: a record becomes an object with its components as
 * members, in their order; a list becomes an array. Thread-safe.
 */
public final class Json {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private Json() {}

  /**
   * The JSON text of a value, indented, without a newline at its end.
   *
   * @param value records, collections, maps, strings, numbers, booleans, enums and arrays of these
   * @throws IllegalArgumentException if it holds something else
   */
  public static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON for " + value.getClass() + ": " + e, e);
    }
  }

  /**
   * Writes a value as a file; replaces what was there, and makes the directories above it.
   *
   * @throws IOException naming the file, if it cannot be written
   */
  public static void write(Path file, Object value) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    Files.writeString(file, text(value) + "\n");
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
}

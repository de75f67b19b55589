package io.cairn.spark.ui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Records of the page as JSON, as Spark's event log has them too. Thread-safe. */
public final class PageJson {
  /** A report is refused beyond this length; a full one of 256 ranks is shorter. */
  private static final int LONGEST_REPORT = 1 << 21;

  private static final ObjectMapper MAPPER =
      new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

  private PageJson() {}

  /** The bytes of a report. */
  public static ByteBuffer encode(Report report) {
    try {
      return ByteBuffer.wrap(MAPPER.writeValueAsBytes(report));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a report cannot be written", e);
    }
  }

  /**
   * The report in these bytes of the heap.
   *
   * @throws IllegalArgumentException with the reason, if they are none
   */
  public static Report decodeReport(ByteBuffer bytes) {
    if (bytes.remaining() > LONGEST_REPORT) {
      throw new IllegalArgumentException(
          "a report has at most " + LONGEST_REPORT + " bytes, not " + bytes.remaining());
    }
    int offset = bytes.arrayOffset() + bytes.position();
    try {
      return MAPPER.readValue(bytes.array(), offset, bytes.remaining(), Report.class);
    } catch (IOException e) {
      throw new IllegalArgumentException("not a report: " + e.getMessage(), e);
    }
  }

  /**
   * A record as an element of a page, which programs read. No page of Spark can be JSON alone by
   * the same class file in both lines.
   */
  static String element(Object value) {
    // no text ends the element
    return "<script type=\"application/json\" id=\"cairn\">"
        + write(value).replace("<", "\\u003c")
        + "</script>";
  }

  /** A record as text. */
  static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a record cannot be written", e);
    }
  }

  /**
   * The record in a text.
   *
   * @throws IllegalArgumentException with the reason, if it is none
   */
  static <T> T read(String text, Class<T> type) {
    try {
      return MAPPER.readValue(text, type);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "not a " + type.getSimpleName() + ": " + e.getMessage(), e);
    }
  }
}

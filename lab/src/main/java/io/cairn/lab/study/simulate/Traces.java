package io.cairn.lab.study.simulate;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The traces that Cairn ships, under their names, and files of one's own. */
public final class Traces {
  /**
   * Bytes that a three-dimensional acoustic wave left to keep at each of 776 steps on 8 ranks, each
   * compressed within an error bound; the domain was cut into slabs, or into 4 × 2 blocks.
   */
  public static final List<String> SHIPPED =
      List.of("acoustic-wave-slab8", "acoustic-wave-blocks4x2");

  /** The column of a shipped trace unless another is chosen: the best of its compressions. */
  public static final String SHIPPED_COLUMN = "zlib_bytes";

  /** The default total to which the sizes of each rank of a shipped trace are scaled. */
  public static final double SHIPPED_TOTAL_BYTES = 53e9;

  private static final String OWN_COLUMN = "bytes";

  private Traces() {}

  /** The column that is read unless another is chosen. */
  static String defaultColumn(String trace) {
    return SHIPPED.contains(trace) ? SHIPPED_COLUMN : OWN_COLUMN;
  }

  /**
   * Reads a trace.
   *
   * @param trace a shipped name, or a file
   * @throws IOException naming what is missing or malformed
   */
  public static Trace read(String trace, String column) throws IOException {
    try (InputStream in = open(trace)) {
      return TraceReader.read(trace, in, column);
    }
  }

  /**
   * Reads a trace.
   *
   * @param name for messages
   * @throws IOException naming what is malformed
   */
  public static Trace read(String name, InputStream in, String column) throws IOException {
    return TraceReader.read(name, in, column);
  }

  private static InputStream open(String trace) throws IOException {
    if (SHIPPED.contains(trace)) {
      @Nullable InputStream shipped = Traces.class.getResourceAsStream(trace + ".csv");
      if (shipped == null) {
        throw new FileNotFoundException("this build lacks the trace " + trace);
      }
      return shipped;
    }
    Path file = Path.of(trace);
    if (!Files.exists(file)) {
      throw new FileNotFoundException(
          "there is no file "
              + trace
              + ", and no shipped trace of that name; those are "
              + String.join(", ", SHIPPED));
    }
    return new BufferedInputStream(Files.newInputStream(file));
  }
}

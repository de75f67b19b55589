package io.cairn.lab.study.csv;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a CSV file in UTF-8, one by one: blanks around cells and empty lines are left out.
 * Cells and rows are bounded, so that no input exhausts memory. Not thread-safe.
 */
public final class CsvRows implements Closeable {
  private static final int LONGEST_CELL = 4096;
  private static final int MOST_CELLS = 1024;

  private static final CsvFactory FACTORY =
      CsvFactory.builder()
          .enable(CsvParser.Feature.WRAP_AS_ARRAY)
          .enable(CsvParser.Feature.TRIM_SPACES)
          .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(LONGEST_CELL).build())
          .build();

  private final String name;
  private final CsvParser parser;
  private long line = 1;

  /**
   * Reads from a stream, and closes it with itself.
   *
   * @param name of the file, for messages
   */
  public CsvRows(String name, InputStream in) throws IOException {
    this.name = name;
    parser = FACTORY.createParser(in);
    parser.nextToken(); // the array of all rows
  }

  /**
   * The cells of the next row; empty at the end.
   *
   * @throws IOException naming file and line, if the row is too long or its quotes do not match
   */
  public Optional<List<String>> next() throws IOException {
    try {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        return Optional.empty();
      }
      List<String> cells = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        line = cells.isEmpty() ? parser.currentTokenLocation().getLineNr() : line;
        if (cells.size() == MOST_CELLS) {
          throw malformed("more than " + MOST_CELLS + " cells");
        }
        cells.add(parser.getText());
      }
      return Optional.of(cells);
    } catch (StreamConstraintsException e) {
      line = parser.currentLocation().getLineNr();
      throw malformed("longer than " + LONGEST_CELL + " bytes");
    } catch (JsonProcessingException e) {
      throw malformed(e.getOriginalMessage());
    }
  }

  /** The line of the row that was read last; the first is 1. */
  public long line() {
    return line;
  }

  /** An exception that names file and line. */
  public IOException malformed(String why) {
    return new IOException(name + ", line " + line + ": " + why);
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}

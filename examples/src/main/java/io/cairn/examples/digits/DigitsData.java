package io.cairn.examples.digits;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The handwritten digits: images of 8×8 grey values and their classes. Immutable, thread-safe; see
 * {@code ATTRIBUTION.md} beside the data for where they come from.
 */
public final class DigitsData {
  /** Height and width of an image. */
  public static final int SIDE = 8;

  /** Classes, the digits 0 to 9. */
  public static final int CLASSES = 10;

  private static final String RESOURCE = "digits.csv.gz";
  private static final int PIXELS = SIDE * SIDE;
  private static final int WHITE = 16;
  private static final int MAX_SAMPLES = 1_000_000;

  private final byte[][] samples;

  private DigitsData(List<byte[]> samples) {
    this.samples = samples.toArray(byte[][]::new);
  }

  /** The 1797 samples that come with Cairn. */
  public static DigitsData load() {
    try (InputStream in = DigitsData.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("resource " + RESOURCE + " is not on the class path");
      }
      return parse(
          new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8), RESOURCE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read resource " + RESOURCE, e);
    }
  }

  /**
   * Reads samples, one per line: 64 grey values from 0 to 16 and the class from 0 to 9, separated
   * by commas.
   *
   * @param source names the data in errors
   * @throws IOException if a line is otherwise, or there is none; it names source, line and column
   */
  public static DigitsData parse(Reader reader, String source) throws IOException {
    List<byte[]> samples = new ArrayList<>();
    BufferedReader lines = new BufferedReader(reader);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      samples.add(sample(line, source + ", line " + (samples.size() + 1)));
      if (samples.size() > MAX_SAMPLES) {
        throw new IOException(source + ": more than " + MAX_SAMPLES + " lines");
      }
    }
    if (samples.isEmpty()) {
      throw new IOException(source + " is empty");
    }
    return new DigitsData(samples);
  }

  private static byte[] sample(String line, String where) throws IOException {
    String[] fields = line.split(",", -1);
    if (fields.length != PIXELS + 1) {
      throw new IOException(where + ": " + fields.length + " values instead of " + (PIXELS + 1));
    }
    byte[] sample = new byte[PIXELS + 1];
    for (int k = 0; k <= PIXELS; k++) {
      int limit = k < PIXELS ? WHITE : CLASSES - 1;
      sample[k] = value(fields[k], limit, where + ", column " + (k + 1));
    }
    return sample;
  }

  private static byte value(String field, int limit, String where) throws IOException {
    try {
      int value = Integer.parseInt(field);
      if (value >= 0 && value <= limit) {
        return (byte) value;
      }
    } catch (NumberFormatException e) {
      throw new IOException(where + ": '" + field + "' is not a whole number", e);
    }
    throw new IOException(where + ": " + field + " is not between 0 and " + limit);
  }

  /** How many samples there are. */
  public int size() {
    return samples.length;
  }

  /** The class of a sample. */
  public int label(int sample) {
    return samples[sample][PIXELS];
  }

  /** Some samples as DL4J takes them: images n×1×8×8 from 0 to 1, classes n×10 one-hot. */
  public DataSet dataSet(int[] rows) {
    float[] images = new float[rows.length * PIXELS];
    float[] classes = new float[rows.length * CLASSES];
    for (int k = 0; k < rows.length; k++) {
      byte[] sample = samples[rows[k]];
      for (int pixel = 0; pixel < PIXELS; pixel++) {
        images[k * PIXELS + pixel] = sample[pixel] / (float) WHITE;
      }
      classes[k * CLASSES + sample[PIXELS]] = 1;
    }
    INDArray features = Nd4j.create(images, new long[] {rows.length, 1, SIDE, SIDE}, 'c');
    return new DataSet(features, Nd4j.create(classes, new long[] {rows.length, CLASSES}, 'c'));
  }
}

package io.cairn.dl4j.files;

import io.cairn.RestoreException;
import io.cairn.dl4j.Networks;
import io.cairn.dl4j.SavedTraining;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.bytedeco.javacpp.BytePointer;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.api.concurrency.AffinityManager.Location;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Networks as safetensors: one tensor per parameter, by DL4J's names such as {@code 0_W}, with
 * values in row-major order whatever their order in memory. The metadata have the configuration and
 * the counters. There is no updater state. Stateless; memory for one parameter at a time.
 */
public final class Safetensors {
  /** Metadata: the configuration as DL4J's JSON. */
  public static final String CONFIGURATION = "configuration";

  /** Metadata: SHA-256 of the configuration, as the manifest of its checkpoint has it. */
  public static final String DIGEST = "configuration.digest";

  /** Metadata: the last completed iteration. */
  public static final String ITERATION = "iteration";

  /** Metadata: the epoch of the next iteration. */
  public static final String EPOCH = "epoch";

  private static final int PIECE_BYTES = 1 << 26;

  private Safetensors() {}

  /**
   * Writes the parameters as a file; replaces an older one when all is written.
   *
   * @param more metadata besides those that this class names, such as the group
   * @return the number of tensors
   * @throws IllegalArgumentException if some parameter of the network has no name
   */
  public static int write(SavedTraining training, Map<String, String> more, Path file)
      throws IOException {
    requireLittleEndian();
    Map<String, INDArray> parameters = parameters(training.model());
    SafetensorsHeader header = new SafetensorsHeader(metadata(training, more), spans(parameters));
    WholeFile.publish(file, part -> write(header, parameters, part));
    return parameters.size();
  }

  private static void requireLittleEndian() {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException(
          "safetensors are little-endian, and this machine is not: use the format dl4j-zip");
    }
  }

  /** All parameters by name. Together they are as many as the network's flat memory has. */
  private static Map<String, INDArray> parameters(Model model) {
    Map<String, INDArray> named = model.paramTable();
    long elements = named.values().stream().mapToLong(INDArray::length).sum();
    if (elements != model.numParams()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "DL4J names %d of the network's %d parameters: use the format dl4j-zip",
              elements,
              model.numParams()));
    }
    return named;
  }

  private static Map<String, String> metadata(SavedTraining training, Map<String, String> more) {
    Map<String, String> metadata = new LinkedHashMap<>(more);
    metadata.put(ITERATION, String.valueOf(training.iteration()));
    metadata.put(EPOCH, String.valueOf(training.epoch()));
    metadata.put(DIGEST, training.configurationDigest());
    metadata.put(CONFIGURATION, training.configuration());
    return metadata;
  }

  private static Map<String, TensorSpan> spans(Map<String, INDArray> parameters) {
    Map<String, TensorSpan> spans = new LinkedHashMap<>();
    long end = 0;
    for (Map.Entry<String, INDArray> each : parameters.entrySet()) {
      INDArray array = each.getValue();
      TensorSpan span = TensorSpan.at(end, ElementType.of(array.dataType()), array.shape());
      spans.put(each.getKey(), span);
      end = span.end();
    }
    return spans;
  }

  private static void write(SafetensorsHeader header, Map<String, INDArray> parameters, Path part)
      throws IOException {
    byte[] json = header.encode();
    if (json.length > SafetensorsHeader.MOST_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a header of %d bytes, where safetensors permit %d: use the format dl4j-zip",
              json.length,
              SafetensorsHeader.MOST_BYTES));
    }
    ByteBuffer length =
        ByteBuffer.allocate(SafetensorsHeader.LENGTH_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(0, json.length);
    try (FileChannel out = FileChannel.open(part, StandardOpenOption.WRITE)) {
      writeFully(out, length);
      writeFully(out, ByteBuffer.wrap(json));
      for (INDArray parameter : parameters.values()) {
        // DL4J's weights are views in column-major order
        INDArray rows = parameter.dup('c');
        pieces(rows, piece -> writeFully(out, piece));
      }
    }
  }

  private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  /** Uses a piece of an array's memory. */
  @FunctionalInterface
  private interface Use {
    void of(ByteBuffer piece) throws IOException;
  }

  /** Passes the memory of an array without gaps, in pieces that a buffer can hold. */
  private static void pieces(INDArray array, Use use) throws IOException {
    long bytes = array.length() * array.data().getElementSize();
    Nd4j.getAffinityManager().ensureLocation(array, Location.HOST); // a GPU may have newer bytes
    BytePointer memory = new BytePointer(array.data().addressPointer());
    memory.capacity(bytes);
    for (long from = 0; from < bytes; from += PIECE_BYTES) {
      memory.position(from).limit(Math.min(bytes, from + PIECE_BYTES));
      use.of(memory.asByteBuffer());
    }
  }

  /**
   * Reads a file into a network.
   *
   * @param configuration as DL4J's JSON, of a {@code MultiLayerNetwork} or {@code
   *     ComputationGraph}; empty if the file's metadata have it
   * @throws IOException naming file, tensor and reason, if the file is of another form, or its
   *     tensors are others than the network's parameters
   * @throws RestoreException if no network can be built from the configuration
   */
  public static SavedTraining read(Path file, Optional<String> configuration) throws IOException {
    return read(file, configuration, List.of());
  }

  /**
   * Like the other.
   *
   * @param trusted beginnings of the names of classes that are not DL4J's, as for {@link
   *     Networks#build}
   */
  public static SavedTraining read(
      Path file, Optional<String> configuration, Collection<String> trusted) throws IOException {
    requireLittleEndian();
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      SafetensorsHeader header = header(in, file);
      long start = in.position();
      Model model = network(header, in.size() - start, file, configuration, trusted);
      Map<String, INDArray> parameters = parameters(model);
      requireSame(parameters, header, file);
      for (Map.Entry<String, INDArray> each : parameters.entrySet()) {
        fill(each.getValue(), in, start + span(header, each.getKey()).begin(), file);
      }
      SavedTraining read = new SavedTraining(model, Optional.empty());
      return read.withCounters(
          counter(header, ITERATION, file) + (isKnown(header) ? 1 : 0),
          counter(header, EPOCH, file));
    }
  }

  private static boolean isKnown(SafetensorsHeader header) {
    return header.metadata().containsKey(ITERATION);
  }

  private static SafetensorsHeader header(FileChannel in, Path file) throws IOException {
    long bytes = in.size();
    if (bytes < SafetensorsHeader.LENGTH_BYTES) {
      throw new IOException(file + " has " + bytes + " bytes, which are no safetensors file");
    }
    long length =
        readFully(in, SafetensorsHeader.LENGTH_BYTES, file)
            .order(ByteOrder.LITTLE_ENDIAN)
            .getLong(0);
    long most = Math.min(SafetensorsHeader.MOST_BYTES, bytes - SafetensorsHeader.LENGTH_BYTES);
    if (length < 2 || length > most) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: a header of %s bytes, where 2 to %d are possible",
              file,
              Long.toUnsignedString(length),
              most));
    }
    byte[] header = readFully(in, (int) length, file).array();
    return SafetensorsHeader.decode(
        header, file.toString(), bytes - SafetensorsHeader.LENGTH_BYTES - length);
  }

  private static ByteBuffer readFully(FileChannel in, int bytes, Path file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    readFully(in, buffer, file);
    return buffer.flip();
  }

  private static void readFully(FileChannel in, ByteBuffer into, Path file) throws IOException {
    while (into.hasRemaining()) {
      if (in.read(into) < 0) {
        throw new EOFException(file + " became shorter while it was read");
      }
    }
  }

  private static Model network(
      SafetensorsHeader header,
      long dataBytes,
      Path file,
      Optional<String> configuration,
      Collection<String> trusted)
      throws IOException {
    String json = configuration.orElseGet(() -> header.metadata().getOrDefault(CONFIGURATION, ""));
    if (json.isEmpty()) {
      throw new IOException(
          file
              + " has no configuration of a network in its metadata: give one, such as the output"
              + " of getLayerWiseConfigurations().toJson()");
    }
    return Networks.build(
        json,
        configuration.isPresent() ? "the given configuration" : file.toString(),
        trusted,
        parameters -> {
          if (parameters > dataBytes / ElementType.F16.bytes()) {
            throw new RestoreException(
                String.format(
                    Locale.ROOT,
                    "%s: tensors of %d bytes, and the network has %d parameters",
                    file,
                    dataBytes,
                    parameters));
          }
        });
  }

  private static void requireSame(
      Map<String, INDArray> parameters, SafetensorsHeader header, Path file) throws IOException {
    TreeSet<String> missing = new TreeSet<>(parameters.keySet());
    missing.removeAll(header.tensors().keySet());
    TreeSet<String> unknown = new TreeSet<>(header.tensors().keySet());
    unknown.removeAll(parameters.keySet());
    if (!missing.isEmpty() || !unknown.isEmpty()) {
      throw new IOException(
          "%s: tensors are missing: %s; the network has no parameters %s"
              .formatted(file, missing, unknown));
    }
    for (Map.Entry<String, INDArray> each : parameters.entrySet()) {
      requireSame(each.getKey(), each.getValue(), span(header, each.getKey()), file);
    }
  }

  private static void requireSame(String name, INDArray parameter, TensorSpan found, Path file)
      throws IOException {
    TensorSpan expected =
        TensorSpan.at(found.begin(), ElementType.of(parameter.dataType()), parameter.shape());
    if (!found.equals(expected)) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: tensor '%s' is %s in %d bytes, and the network's parameter %s in %d bytes",
              file,
              name,
              found.kind(),
              found.end() - found.begin(),
              expected.kind(),
              expected.end() - expected.begin()));
    }
  }

  private static TensorSpan span(SafetensorsHeader header, String name) throws IOException {
    TensorSpan span = header.tensors().get(name);
    if (span == null) {
      throw new IOException("tensor '" + name + "' is missing");
    }
    return span;
  }

  private static void fill(INDArray parameter, FileChannel in, long from, Path file)
      throws IOException {
    INDArray rows = Nd4j.createUninitialized(parameter.dataType(), parameter.shape(), 'c');
    in.position(from);
    pieces(rows, piece -> readFully(in, piece, file));
    Nd4j.getAffinityManager().tagLocation(rows, Location.HOST); // a GPU has older bytes
    parameter.assign(rows);
  }

  private static int counter(SafetensorsHeader header, String name, Path file) throws IOException {
    String text = header.metadata().getOrDefault(name, "0");
    try {
      int value = Integer.parseInt(text);
      if (value >= 0 && value < Integer.MAX_VALUE) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IOException(file + ": metadata " + name + " is '" + text + "', no number", e);
    }
    throw new IOException(file + ": metadata " + name + " is " + text + ", out of range");
  }
}

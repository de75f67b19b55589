package io.cairn.dl4j.files;

import io.cairn.RestoreException;
import io.cairn.dl4j.Networks;
import io.cairn.dl4j.SavedTraining;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.preprocessor.Normalizer;

/**
 * The zip of DL4J's {@code ModelSerializer}: configuration with counters, parameters, updater state
 * and normaliser. The reader is Cairn's own: DL4J's one deserialises Java objects that a zip holds.
 * Stateless.
 */
public final class Dl4jZip {
  /** Bytes that one byte of a zip can become. */
  private static final long MOST_INFLATION = 1_032;

  private static final int MOST_CONFIGURATION_BYTES = 1 << 26;
  private static final int MOST_NORMALIZER_BYTES = 1 << 26;

  private Dl4jZip() {}

  /** Writes a network as a file; replaces an older one when all is written. */
  public static void write(SavedTraining training, Path file) throws IOException {
    WholeFile.publish(
        file,
        part -> {
          ModelSerializer.writeModel(training.model(), part.toFile(), true);
          if (training.normalizer().isPresent()) {
            ModelSerializer.addNormalizerToModel(part.toFile(), training.normalizer().get());
          }
        });
  }

  /**
   * Reads a network, with its updater's state and its normaliser if the zip has them.
   *
   * @throws IOException naming file, entry and reason, if the file is no such zip, an entry does
   *     not fit the configuration, or the zip has Java objects
   * @throws RestoreException if no network can be built from the configuration
   */
  public static SavedTraining read(Path file) throws IOException {
    return read(file, List.of());
  }

  /**
   * Like the other.
   *
   * @param trusted beginnings of the names of classes that are not DL4J's, as for {@link
   *     Networks#build}
   */
  public static SavedTraining read(Path file, Collection<String> trusted) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      if (zip.getEntry(ModelSerializer.PREPROCESSOR_BIN) != null) {
        throw new IOException(
            file
                + " has a serialised Java object, "
                + ModelSerializer.PREPROCESSOR_BIN
                + ", which is not read: delete the entry, and add the normaliser by"
                + " ModelSerializer.addNormalizerToModel");
      }
      Model model = network(zip, file, trusted);
      fill(model.params(), ModelSerializer.COEFFICIENTS_BIN, zip, file);
      SavedTraining training = new SavedTraining(model, normalizer(zip, file));
      if (zip.getEntry(ModelSerializer.UPDATER_BIN) != null) {
        INDArray state = training.updaterState().orElse(null);
        if (state == null) {
          throw new IOException(
              file
                  + ": "
                  + ModelSerializer.UPDATER_BIN
                  + " is there, and the updater has no state");
        }
        fill(state, ModelSerializer.UPDATER_BIN, zip, file);
      }
      return training;
    } catch (ZipException e) {
      throw new IOException(file + " is no zip that can be read: " + e.getMessage(), e);
    }
  }

  /**
   * Whether a zip has the updater's state.
   *
   * @throws IOException if the file is no zip
   */
  public static boolean hasUpdaterState(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.getEntry(ModelSerializer.UPDATER_BIN) != null;
    }
  }

  private static Model network(ZipFile zip, Path file, Collection<String> trusted)
      throws IOException {
    String json =
        new String(
            bytes(zip, ModelSerializer.CONFIGURATION_JSON, MOST_CONFIGURATION_BYTES, file),
            StandardCharsets.UTF_8);
    long[] length = {0};
    try (DataInputStream in = open(zip, ModelSerializer.COEFFICIENTS_BIN, file)) {
      length[0] = NdArrayStream.open(in, file + ": " + ModelSerializer.COEFFICIENTS_BIN).length();
    }
    if (length[0] > MOST_INFLATION * Files.size(file) / Short.BYTES) {
      throw new RestoreException(
          String.format(
              Locale.ROOT,
              "%s: %s announces %d parameters, more than a file of its length can hold",
              file,
              ModelSerializer.COEFFICIENTS_BIN,
              length[0]));
    }
    return Networks.build(
        json,
        file + ": " + ModelSerializer.CONFIGURATION_JSON,
        trusted,
        parameters -> {
          if (parameters != length[0]) {
            throw new RestoreException(
                String.format(
                    Locale.ROOT,
                    "%s: %s has %d parameters, and its network %d",
                    file,
                    ModelSerializer.COEFFICIENTS_BIN,
                    length[0],
                    parameters));
          }
        });
  }

  private static void fill(INDArray flat, String entry, ZipFile zip, Path file) throws IOException {
    try (DataInputStream in = open(zip, entry, file)) {
      NdArrayStream.open(in, file + ": " + entry).readInto(flat);
    }
  }

  private static Optional<Normalizer<?>> normalizer(ZipFile zip, Path file) throws IOException {
    return zip.getEntry(ModelSerializer.NORMALIZER_BIN) == null
        ? Optional.empty()
        : Optional.of(
            SavedTraining.normalizer(
                bytes(zip, ModelSerializer.NORMALIZER_BIN, MOST_NORMALIZER_BYTES, file)));
  }

  private static byte[] bytes(ZipFile zip, String entry, int most, Path file) throws IOException {
    try (InputStream in = open(zip, entry, file)) {
      byte[] bytes = in.readNBytes(most);
      if (in.read() >= 0) {
        throw new IOException(file + ": " + entry + " is longer than " + most + " bytes");
      }
      return bytes;
    }
  }

  private static DataInputStream open(ZipFile zip, String name, Path file) throws IOException {
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) {
      throw new IOException(
          file + " has no entry " + name + ", so ModelSerializer did not write it");
    }
    return new DataInputStream(new BufferedInputStream(zip.getInputStream(entry), 1 << 16));
  }
}

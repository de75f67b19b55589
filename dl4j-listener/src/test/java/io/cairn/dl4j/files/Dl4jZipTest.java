package io.cairn.dl4j.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.RestoreException;
import io.cairn.dl4j.ModelDigest;
import io.cairn.dl4j.SavedTraining;
import io.cairn.dl4j.TestNets;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;

/** Zips that DL4J reads and writes. */
class Dl4jZipTest {
  @TempDir Path directory;

  private static SavedTraining training(Model model) {
    return new SavedTraining(model, Optional.empty()).withCounters(31, 4);
  }

  private static Model restored(Model like, Path file) throws IOException {
    return like instanceof ComputationGraph
        ? ModelSerializer.restoreComputationGraph(file.toFile())
        : ModelSerializer.restoreMultiLayerNetwork(file.toFile());
  }

  @ParameterizedTest
  @MethodSource("io.cairn.dl4j.files.SampleNets#all")
  void modelSerializerReadsWhatIsWritten(Model model) throws IOException {
    Path file = directory.resolve("net.zip");

    Dl4jZip.write(training(model), file);
    Model read = restored(model, file);

    assertThat(ModelDigest.of(read)).isEqualTo(ModelDigest.of(model));
    assertThat(training(read).iteration()).isEqualTo(30);
    assertThat(directory.toFile().list()).containsExactly(file.getFileName().toString());
  }

  @ParameterizedTest
  @MethodSource("io.cairn.dl4j.files.SampleNets#all")
  void whatModelSerializerWritesIsRead(Model model) throws IOException {
    Path file = directory.resolve("net.zip");
    training(model);
    ModelSerializer.writeModel(model, file.toFile(), true);

    SavedTraining read = Dl4jZip.read(file);

    assertThat(ModelDigest.of(read.model())).isEqualTo(ModelDigest.of(model));
    assertThat(read.iteration()).isEqualTo(30);
    assertThat(read.epoch()).isEqualTo(4);
    assertThat(read.configurationDigest()).isEqualTo(training(model).configurationDigest());
    assertThat(read.normalizer()).isEmpty();
  }

  @Test
  void aNormaliserGoesWithIt() throws IOException {
    NormalizerStandardize normalizer =
        new NormalizerStandardize(
            Nd4j.createFromArray(new float[][] {{1, 2}}),
            Nd4j.createFromArray(new float[][] {{3, 4}}));
    Path file = directory.resolve("net.zip");

    Dl4jZip.write(
        new SavedTraining(SampleNets.filled(TestNets.adam()), Optional.of(normalizer)), file);

    assertThat(ModelSerializer.<NormalizerStandardize>restoreNormalizerFromFile(file.toFile()))
        .isEqualTo(normalizer);
    assertThat(Dl4jZip.read(file).normalizer()).hasValue(normalizer);
  }

  private Path changed(Map<String, byte[]> entries) throws IOException {
    Path from = directory.resolve("good.zip");
    Dl4jZip.write(training(SampleNets.filled(TestNets.adam())), from);
    Map<String, byte[]> all = new TreeMap<>();
    try (ZipFile zip = new ZipFile(from.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        all.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    all.putAll(entries);
    Path to = directory.resolve("bad.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
      for (Map.Entry<String, byte[]> entry : all.entrySet()) {
        if (entry.getValue().length > 0) {
          out.putNextEntry(new ZipEntry(entry.getKey()));
          out.write(entry.getValue());
        }
      }
    }
    return to;
  }

  private static byte[] vector(int length, String type, int written) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF("MIXED_DATA_TYPES");
    out.writeLong(8);
    out.writeUTF("LONG");
    for (long number : new long[] {2, 1, length, 1, 1, 0, 1, 99}) {
      out.writeLong(number);
    }
    out.writeUTF("MIXED_DATA_TYPES");
    out.writeLong(length);
    out.writeUTF(type);
    out.write(new byte[written]);
    return bytes.toByteArray();
  }

  private void assertRefused(String entry, byte[] content, Class<?> as, String... parts)
      throws IOException {
    Path file = changed(Map.of(entry, content));
    assertThatThrownBy(() -> Dl4jZip.read(file))
        .isInstanceOf(as)
        .hasMessageStartingWith(file.toString())
        .hasMessageContainingAll(parts);
  }

  /** Its network would take more memory than there is. */
  @Test
  void aSmallFileThatAnnouncesMuchIsRefused() throws IOException {
    assertRefused(
        "coefficients.bin",
        vector(Integer.MAX_VALUE, "FLOAT", 0),
        RestoreException.class,
        "coefficients.bin announces 2147483647 parameters");
  }

  @Test
  void entriesThatDoNotFitAreRefusedByName() throws IOException {
    int parameters = (int) SampleNets.filled(TestNets.adam()).params().length();
    int most = Integer.MAX_VALUE;

    assertRefused("coefficients.bin", new byte[0], IOException.class, "no entry coefficients.bin");
    assertRefused("configuration.json", new byte[0], IOException.class, "no entry configuration");
    assertRefused("coefficients.bin", new byte[9], IOException.class, "coefficients.bin");
    assertRefused(
        "coefficients.bin", vector(most, "FLOAT", 0), RestoreException.class, most + " parameters");
    assertRefused(
        "coefficients.bin", vector(parameters, "FLOAT", 5), IOException.class, "before its last");
    assertRefused(
        "coefficients.bin", vector(parameters, "LONG", 0), IOException.class, "of type LONG");
    assertRefused(
        "updaterState.bin", vector(7, "FLOAT", 28), IOException.class, "updaterState.bin has 7");
    assertRefused(
        "configuration.json",
        "{}".getBytes(StandardCharsets.UTF_8),
        RestoreException.class,
        "configuration.json");
    assertRefused("preprocessor.bin", new byte[] {1}, IOException.class, "serialised Java object");
  }

  @Test
  void aFileThatIsNoZipIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("text"), "no zip");

    assertThatThrownBy(() -> Dl4jZip.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file + " is no zip");
  }

  @Test
  void anOlderFileStaysIfTheNewOneCannotBeWritten() throws IOException {
    Path file = Files.writeString(directory.resolve("net.zip"), "older");
    MultiLayerNetwork model = (MultiLayerNetwork) SampleNets.filled(TestNets.adam());

    assertThatThrownBy(
            () ->
                WholeFile.publish(
                    file,
                    part -> {
                      ModelSerializer.writeModel(model, part.toFile(), true);
                      throw new IOException("the disk is full");
                    }))
        .hasMessage("the disk is full");

    assertThat(file).hasContent("older");
    assertThat(directory.toFile().list()).containsExactly(file.getFileName().toString());
  }
}

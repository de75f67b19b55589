package io.cairn.dl4j.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cairn.dl4j.ModelDigest;
import io.cairn.dl4j.SavedTraining;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.deeplearning4j.nn.api.Model;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.api.iter.NdIndexIterator;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Files that this class writes, read by itself and by a reader in Python. */
class SafetensorsTest {
  @TempDir Path directory;

  private static SavedTraining training(Model model) {
    return new SavedTraining(model, Optional.empty()).withCounters(31, 4);
  }

  @ParameterizedTest
  @MethodSource("io.cairn.dl4j.files.SampleNets#all")
  void aNetworkComesBackWithItsCounters(Model model) throws IOException {
    Path file = directory.resolve("net.safetensors");

    int tensors = Safetensors.write(training(model), Map.of("group", "fold-1"), file);
    SavedTraining read = Safetensors.read(file, Optional.empty());

    assertThat(tensors).isEqualTo(model.paramTable().size());
    assertThat(read.model().getClass()).isEqualTo(model.getClass());
    assertThat(read.model().params()).isEqualTo(model.params());
    assertThat(read.iteration()).isEqualTo(30);
    assertThat(read.epoch()).isEqualTo(4);
    assertThat(read.configuration()).isEqualTo(training(model).configuration());
    assertThat(directory.toFile().list()).containsExactly(file.getFileName().toString());
  }

  /** The reader's own order of elements decides, and not ND4J's. */
  @ParameterizedTest
  @MethodSource("io.cairn.dl4j.files.SampleNets#all")
  void pythonReadsEveryElementInRowMajorOrder(Model model) throws Exception {
    Optional<Path> python = python();
    assumeTrue(python.isPresent(), "python3 is not on the PATH");
    Path file = directory.resolve("net.safetensors");
    Safetensors.write(training(model), Map.of("group", "fold-1"), file);

    Map<String, List<Double>> values = new LinkedHashMap<>();
    Map<String, String> shapes = new LinkedHashMap<>();
    for (String line : run(python.orElseThrow(), file)) {
      String[] words = line.split(" ", -1);
      shapes.put(words[0], words[1]);
      List<Double> numbers = new ArrayList<>();
      for (int i = 2; i < words.length; i++) {
        numbers.add(Double.parseDouble(words[i].contains("p") ? words[i] : words[i] + "p0"));
      }
      values.put(words[0], numbers);
    }

    assertThat(values).containsOnlyKeys(model.paramTable().keySet());
    model
        .paramTable()
        .forEach(
            (name, array) -> {
              assertThat(shapes.get(name)).as(name).isEqualTo(shape(array));
              assertThat(values.get(name)).as(name).isEqualTo(rowMajor(array));
            });
  }

  private static String shape(INDArray array) {
    List<String> lengths = new ArrayList<>();
    for (long length : array.shape()) {
      lengths.add(String.valueOf(length));
    }
    return String.join(",", lengths);
  }

  /** Element by element, by indices whose last one runs fastest. */
  private static List<Double> rowMajor(INDArray array) {
    List<Double> elements = new ArrayList<>();
    NdIndexIterator indices = new NdIndexIterator('c', array.shape());
    while (indices.hasNext()) {
      elements.add(array.getDouble(indices.next()));
    }
    return elements;
  }

  private static Optional<Path> python() {
    for (String folder : System.getenv("PATH").split(":", -1)) {
      Path python = Path.of(folder, "python3");
      if (Files.isExecutable(python)) {
        return Optional.of(python);
      }
    }
    return Optional.empty();
  }

  private List<String> run(Path python, Path file) throws Exception {
    Path reader = Path.of(SafetensorsTest.class.getResource("read_safetensors.py").toURI());
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    try (ChildProcess process =
        Command.of(python.toString(), reader.toString(), file.toString())
            .outputTo(out)
            .errorsTo(err)
            .start()) {
      assertThat(process.exitStatus()).as(() -> read(err)).isZero();
    }
    return Files.readAllLines(out);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @ParameterizedTest
  @MethodSource("io.cairn.dl4j.files.SampleNets#all")
  void aFileWithoutConfigurationNeedsOne(Model model) throws IOException {
    Path file = directory.resolve("net.safetensors");
    Safetensors.write(training(model), Map.of(), file);
    Path bare = HostileSafetensorsTest.withoutMetadata(file, directory.resolve("bare"));

    assertThatThrownBy(() -> Safetensors.read(bare, Optional.empty()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(bare + " has no configuration");
    SavedTraining read = Safetensors.read(bare, Optional.of(training(model).configuration()));
    assertThat(read.model().params()).isEqualTo(model.params());
    assertThat(read.epoch()).isZero();
    assertThat(ModelDigest.of(read.model())).isNotNull();
  }
}

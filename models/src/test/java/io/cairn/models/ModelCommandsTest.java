package io.cairn.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.cli.CommandRun;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.Json;
import io.cairn.dl4j.CairnTraining;
import io.cairn.dl4j.ModelDigest;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerMinMaxScaler;
import org.nd4j.linalg.factory.Nd4j;

/** Both commands over stores that real trainings write and read. */
class ModelCommandsTest {
  private static final String GROUP = "fold-1";

  @TempDir Path directory;

  static Stream<Supplier<Model>> networks() {
    return Stream.of(SmallNets::layers, SmallNets::graph);
  }

  private String store() {
    return directory.resolve("store").toString();
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  /** STORE at every second iteration; NODE is elsewhere for each start. */
  private Cairn open(String node) throws IOException {
    return Cairn.open(
        Map.of(
            "store", store(),
            "node.dir", file(node),
            "device.dir", file("device"),
            "device.cacheSize", "4m",
            "chunkSize", "4k",
            "keep", "5",
            "node.every", "2",
            "store.every", "2"));
  }

  /** Trains until so many epochs are complete, those of earlier calls included. */
  private Optional<Long> train(Model model, DataSetIterator data, int epochs, String node)
      throws IOException {
    try (Cairn cairn = open(node);
        CairnTraining run = CairnTraining.resume(model, data, cairn.join(GROUP))) {
      run.fit(epochs);
      return run.restored().map(report -> report.id().iteration());
    }
  }

  private CommandRun export(String format, String file, String... more) {
    List<String> arguments =
        Stream.concat(
                Stream.of("export", store(), file, "--group", GROUP, "--format", format),
                Stream.of(more))
            .toList();
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private static Model restored(Model like, String file) throws IOException {
    return like instanceof ComputationGraph
        ? ModelSerializer.restoreComputationGraph(file)
        : ModelSerializer.restoreMultiLayerNetwork(file);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void anExportedZipHasTheBitsOfTheTraining(Supplier<Model> network) throws IOException {
    Model model = network.get();
    train(model, SmallNets.data(), 2, "node");

    CommandRun run = export("dl4j-zip", file("net.zip"), "--json");

    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    JsonNode report = Json.tree(run.out());
    assertThat(report.get("checkpoint").asText()).isEqualTo("e1-i9");
    assertThat(report.get("iteration").asInt()).isEqualTo(9);
    assertThat(report.get("parameters").asLong()).isEqualTo(model.numParams());
    assertThat(report.get("bytes").asLong()).isEqualTo(Files.size(Path.of(file("net.zip"))));
    Model read = restored(model, file("net.zip"));
    assertThat(ModelDigest.of(read)).isEqualTo(ModelDigest.of(model));
    SmallNets.fit(model, 1);
    SmallNets.fit(read, 1);
    assertThat(ModelDigest.of(read)).isEqualTo(ModelDigest.of(model));
  }

  @Test
  void formatsAreOfferedAsTheyAreWritten() {
    CommandRun run = export("onnx", file("net.onnx"));

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err())
        .startsWith("cairn: --format is 'onnx': give one of dl4j-zip, safetensors");
  }

  /** An older one would be an outdated model without a warning. */
  @Test
  void theNewestIsNotPassedOverBecauseItCannotBeReadNow() throws IOException {
    train(SmallNets.layers(), SmallNets.data(), 2, "node");
    try (CheckpointStore store = CheckpointStores.openForReading(store())) {
      GroupId group = new GroupId(Inventory.jobs(store).get(0), GROUP);
      String newest =
          StoreNames.file(
              Inventory.list(store, group).checkpoints().lastKey(), StoreNames.MANIFEST);
      CheckpointStore failing =
          (CheckpointStore)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {CheckpointStore.class},
                  (proxy, called, arguments) -> {
                    if (called.getName().equals("open") && arguments[0].equals(newest)) {
                      throw new IOException("connection reset");
                    }
                    try {
                      return called.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  });

      assertThatThrownBy(() -> StoredRank.open(failing, group, 0, Optional.empty()))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("connection reset", "may be the newest");
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void aTrainingGoesOnFromAnImportedZip(Supplier<Model> network) throws IOException {
    Model model = network.get();
    model.init();
    SmallNets.fit(model, 1);
    ModelSerializer.writeModel(model, file("net.zip"), true);

    CommandRun run = CommandRun.of("import", store(), file("net.zip"), "--group", GROUP);

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("cairn/fold-1 e1-i4", "with updater state", "resumes after iteration 4");
    Model resumed = network.get();
    assertThat(train(resumed, SmallNets.data(), 3, "node")).hasValue(4L);
    SmallNets.fit(model, 2);
    assertThat(ModelDigest.of(resumed)).isEqualTo(ModelDigest.of(model));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void safetensorsCarryTheParametersToAnotherGroup(Supplier<Model> network) throws IOException {
    Model model = network.get();
    train(model, SmallNets.data(), 2, "node");

    assertThat(export("safetensors", file("net.safetensors"), "--checkpoint", "e1-i6").exit())
        .isEqualTo(ExitCodes.GOOD);
    CommandRun run =
        CommandRun.of(
            "import", store(), file("net.safetensors"), "--group", "other", "--job", "second");

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("second/other e1-i6", "without updater state");
    export("dl4j-zip", file("before.zip"), "--checkpoint", "e1-i6");
    CommandRun.of("export", store(), file("after.zip"), "--group", "other", "--format", "dl4j-zip");
    Model before = restored(model, file("before.zip"));
    Model after = restored(model, file("after.zip"));
    assertThat(after.params()).isEqualTo(before.params());
    assertThat(ModelDigest.of(after)).as("updater state").isNotEqualTo(ModelDigest.of(before));
  }

  @Test
  void aNormaliserGoesOutAndIn() throws IOException {
    NormalizerMinMaxScaler scaler = new NormalizerMinMaxScaler(-1, 1);
    scaler.fit(SmallNets.data());
    DataSetIterator data = SmallNets.data();
    data.setPreProcessor(scaler);
    train(SmallNets.layers(), data, 1, "node");

    export("dl4j-zip", file("net.zip"));
    CommandRun.of("import", store(), file("net.zip"), "--group", "again");
    CommandRun.of("export", store(), file("again.zip"), "--group", "again", "--format", "dl4j-zip");

    for (String name : List.of("net.zip", "again.zip")) {
      assertThat(
              ModelSerializer.<NormalizerMinMaxScaler>restoreNormalizerFromFile(
                  directory.resolve(name).toFile()))
          .isEqualTo(scaler);
    }
  }

  /** An export takes no epoch, so the training's next checkpoint is not fenced. */
  @Test
  void anExportDisturbsNoTraining() throws IOException {
    Model model = SmallNets.layers();
    try (Cairn cairn = open("node");
        CairnTraining run = CairnTraining.resume(model, SmallNets.data(), cairn.join(GROUP))) {
      run.fit(1);
      while (run.statistics().sealed().getOrDefault(Level.STORE, 0L) == 0) {
        Thread.onSpinWait();
      }
      assertThat(export("dl4j-zip", file("net.zip")).exit()).isEqualTo(ExitCodes.GOOD);
      run.fit(2);
      assertThat(run.statistics().fenced()).isFalse();
      assertThat(run.statistics().captured()).isEqualTo(2L * SmallNets.MINIBATCHES);
    }
  }

  private void assertRefused(CommandRun run, String... parts) {
    assertThat(run.exit()).as(run.err()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains(parts);
  }

  @Test
  void mistakesAreRefusedByName() throws IOException {
    train(SmallNets.layers(), SmallNets.data(), 1, "node");
    export("dl4j-zip", file("net.zip"));

    assertRefused(
        export("dl4j-zip", file("x"), "--checkpoint", "e9-i9"),
        "e9-i9",
        "it has e1-i0, e1-i2, e1-i4");
    assertRefused(export("dl4j-zip", file("x"), "--rank", "3"), "rank 3");
    assertRefused(export("dl4j-zip", file("x"), "--job", "other"), "no such group", "[cairn/");
    assertRefused(export("onnx", file("x")), "dl4j-zip", "safetensors");
    assertRefused(export("dl4j-zip", directory.toString()), "is a directory");
    assertRefused(
        CommandRun.of("import", store(), file("net.zip"), "--group", GROUP),
        "has checkpoints of cairn/fold-1 already",
        "another group");
    assertRefused(CommandRun.of("import", store(), file("nowhere"), "--group", "g"), "nowhere");
    assertThat(directory.resolve("x")).doesNotExist();
  }

  @Test
  void aDamagedChunkIsNotExported() throws IOException {
    train(SmallNets.layers(), SmallNets.data(), 1, "node");
    Path container;
    try (Stream<Path> files = Files.walk(Path.of(store()))) {
      container =
          files
              .filter(path -> path.toString().contains("i0000000004"))
              .filter(path -> path.toString().endsWith(".chunks"))
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(container);
    bytes[bytes.length / 2] ^= 1;
    Files.write(container, bytes);

    assertRefused(export("dl4j-zip", file("x")), "CRC32C");
    assertThat(directory.resolve("x")).doesNotExist();
    assertThat(export("dl4j-zip", file("x"), "--checkpoint", "e1-i2").exit())
        .isEqualTo(ExitCodes.GOOD);
  }

  /** The network of another program is refused as for any checkpoint. */
  @Test
  void anImportFitsItsOwnNetworkAlone() throws IOException {
    Model model = SmallNets.layers();
    model.init();
    Nd4j.getRandom().setSeed(5);
    ModelSerializer.writeModel(model, file("net.zip"), false);

    CommandRun run = CommandRun.of("import", store(), file("net.zip"), "--group", GROUP);

    assertThat(run.out()).contains("e1-i0", "without updater state");
    assertThatThrownBy(() -> train(SmallNets.graph(), SmallNets.data(), 1, "node"))
        .hasMessageContaining("region parameters has 208 bytes there and 128 bytes here");
  }

  @Test
  void anImportEndsNoTrainingThatHasSealedNothingYet() throws IOException {
    Model model = SmallNets.layers();
    model.init();
    ModelSerializer.writeModel(model, file("net.zip"), true);
    try (Cairn cairn = open("node");
        Checkpointer running = cairn.join(GROUP)) {
      running.protect(Region.of("weights", new float[8]));
      running.restore();

      CommandRun run = CommandRun.of("import", store(), file("net.zip"), "--group", GROUP);

      assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
      assertThat(run.err()).contains("epoch 1 of cairn/fold-1", "has sealed nothing yet");
      assertThat(running.end(0).sealed(Level.STORE).join()).isInstanceOf(Outcome.Sealed.class);
    }
  }
}

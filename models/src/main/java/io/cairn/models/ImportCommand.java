package io.cairn.models;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.cli.CairnCommand;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.HadoopOption;
import io.cairn.cli.JsonOption;
import io.cairn.cli.LocalTree;
import io.cairn.dl4j.SavedTraining;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cairn import}: a network in a file of another format as a checkpoint of a new group. */
@Command(
    name = "import",
    description = {
      "Make the network of a file a group's first checkpoint.",
      "Takes a zip of ModelSerializer, with updater state and normaliser if it has them, or"
          + " safetensors with one tensor per parameter.",
      "A training of that group, with a network of the same configuration, resumes from it with"
          + " the first minibatch of its data. A network that was never trained counts as one after"
          + " iteration 0."
    })
public final class ImportCommand implements CairnCommand {
  @Parameters(
      index = "0",
      paramLabel = "STORE",
      description = "A directory, or the URI of any Hadoop file system (hdfs://host:port/path).")
  private String store = "";

  @Parameters(index = "1", paramLabel = "FILE", description = "A .zip or .safetensors file.")
  private Path file = Path.of("");

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      required = true,
      description = "The group, which has no checkpoint yet.")
  private String group = "";

  @Option(
      names = "--job",
      paramLabel = "JOB",
      defaultValue = "cairn",
      description = "Its job (${DEFAULT-VALUE}).")
  private String job = "cairn";

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "The setting label of the training, if it has one.")
  private Optional<String> label = Optional.empty();

  @Option(
      names = "--configuration",
      paramLabel = "FILE",
      description =
          "The network as DL4J's JSON, such as of getLayerWiseConfigurations().toJson(), for"
              + " safetensors that bin/cairn export did not write.")
  private Optional<Path> configuration = Optional.empty();

  @Option(
      names = "--trust",
      paramLabel = "PACKAGE.",
      description =
          "The beginning of the names of classes that the network may have besides DL4J's, such as"
              + " com.acme.; may be repeated. Their code runs.")
  private List<String> trusted = List.of();

  @Mixin private Dl4jOption dl4j = new Dl4jOption();

  @Mixin private HadoopOption hadoop = new HadoopOption();

  @Mixin private JsonOption json = new JsonOption();

  /** Made by the command line. */
  public ImportCommand() {}

  /**
   * The content of {@code --json}.
   *
   * @param iteration after which the training resumes
   * @param updaterState whether the file has the updater's state; else the updater begins afresh
   */
  record Report(
      String file,
      String format,
      String store,
      String job,
      String group,
      String checkpoint,
      int iteration,
      int epoch,
      String configuration,
      long parameters,
      boolean updaterState) {}

  @Override
  public Integer call() throws IOException {
    return dl4j.run(this::read);
  }

  private int read() throws IOException {
    ModelFormat format = ModelFormat.of(file);
    Optional<String> given = Optional.empty();
    if (configuration.isPresent()) {
      given = Optional.of(Files.readString(configuration.get()));
    }
    SavedTraining training = format.read(file, given, trusted);
    Path own = Files.createTempDirectory("cairn-import");
    try (CairnEngine cairn = CairnEngine.open(CairnConfig.of(settings(training, own)))) {
      GroupId id = new GroupId(job, group);
      if (Inventory.list(cairn.store(), id).anySealed()) {
        throw new IllegalArgumentException(
            "%s has checkpoints of %s already, and an import would supersede them: name another group"
                .formatted(cairn.store().describe(), id));
      }
      requireFree(cairn.store(), id);
      Report report = report(training, format, cairn.store().describe(), save(training, cairn));
      json.print(report, out -> out.println(text(report)));
    } finally {
      LocalTree.delete(own);
    }
    return ExitCodes.GOOD;
  }

  /** A training that has sealed nothing yet would be fenced by the import, and save nothing. */
  private static void requireFree(CheckpointStore store, GroupId id) throws IOException {
    EpochFiles epochs = new EpochFiles(store);
    long epoch = epochs.newestTrace(id);
    if (epoch > 0) {
      throw new IllegalArgumentException(
          "epoch %s of %s, by %s, has sealed nothing yet, and an import would end it: name another group"
              .formatted(
                  epoch, id, epochs.holder(id, epoch).orElse("unknown").replace("\n", " at ")));
    }
  }

  /**
   * A device cache with room for all of the state; nothing stays at NODE. A lambda would have a
   * type of ND4J in its signature, and a command is listed where ND4J is not there.
   */
  private Map<String, String> settings(SavedTraining training, Path own) {
    long numbers = training.model().numParams();
    if (training.updaterState().isPresent()) {
      numbers += training.updaterState().get().length();
    }
    String room = 64 + ((numbers * Double.BYTES) >> 20) + "m";
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "job",
                job,
                "store",
                store,
                "node.dir",
                own.resolve("node").toString(),
                "device.dir",
                own.resolve("device").toString(),
                "device.cacheSize",
                room,
                "queueSize",
                room,
                "node.every",
                "1",
                "store.every",
                "1"));
    label.ifPresent(name -> settings.put("label", name));
    hadoop.keys().forEach((key, value) -> settings.put("store.hadoop." + key, value));
    return settings;
  }

  private CheckpointTicket save(SavedTraining training, CairnEngine cairn) throws IOException {
    try (Checkpointer checkpointer = cairn.join(group)) {
      CheckpointTicket ticket = training.save(checkpointer);
      Outcome outcome = ticket.sealed(Level.STORE).join();
      if (!(outcome instanceof Outcome.Sealed)) {
        throw new IOException(
            "%s: the checkpoint was not written: %s".formatted(cairn.store().describe(), outcome));
      }
      return ticket;
    }
  }

  private Report report(
      SavedTraining training, ModelFormat format, String place, CheckpointTicket ticket)
      throws IOException {
    return new Report(
        file.toString(),
        format.toString(),
        place,
        job,
        group,
        ticket.id().label(),
        training.iteration(),
        training.epoch(),
        training.configurationDigest(),
        training.model().numParams(),
        format.hasUpdaterState(file));
  }

  private static String text(Report report) {
    return String.format(
        Locale.ROOT,
        "%s/%s %s: %d parameters of %s, %s updater state; a training of this group resumes after"
            + " iteration %d",
        report.job(),
        report.group(),
        report.checkpoint(),
        report.parameters(),
        report.file(),
        report.updaterState() ? "with" : "without",
        report.iteration());
  }
}

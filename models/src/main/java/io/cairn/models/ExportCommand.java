package io.cairn.models;

import io.cairn.GroupId;
import io.cairn.cli.CairnCommand;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.Json;
import io.cairn.dl4j.SavedTraining;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cairn export}: a checkpoint of a DL4J training as a file of another format. */
@Command(
    name = "export",
    description = {
      "Write the network of a checkpoint as a file of another format.",
      "dl4j-zip: ModelSerializer opens it; with updater state, counters and normaliser.",
      "safetensors: one tensor per parameter, row-major; without updater state.",
      "Every chunk is compared with its checksum. A training that runs is not disturbed."
    })
public final class ExportCommand implements CairnCommand {
  @Parameters(
      paramLabel = "STORE",
      description = "A directory, or the URI of any Hadoop file system (hdfs://host:port/path).")
  private String store = "";

  @Option(names = "--group", paramLabel = "GROUP", required = true, description = "The group.")
  private String group = "";

  @Option(
      names = "--job",
      paramLabel = "JOB",
      description = "Its job, if several jobs have a group of that name.")
  private Optional<String> job = Optional.empty();

  @Option(
      names = "--checkpoint",
      paramLabel = "ID",
      defaultValue = NEWEST,
      description = "Such as e1-i30; or newest, which a restore would take (${DEFAULT-VALUE}).")
  private String checkpoint = NEWEST;

  @Option(
      names = "--rank",
      paramLabel = "R",
      defaultValue = "0",
      description = "The rank whose network is written (${DEFAULT-VALUE}).")
  private int rank;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      required = true,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private ModelFormat format = ModelFormat.DL4J_ZIP;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      required = true,
      description = "The file; an older one is replaced when all is written.")
  private Path output = Path.of("");

  @Option(
      names = "--trust",
      paramLabel = "PACKAGE.",
      description =
          "The beginning of the names of classes that the network may have besides DL4J's, such as"
              + " com.acme.; may be repeated. Their code runs.")
  private List<String> trusted = List.of();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  private static final String NEWEST = "newest";

  /** Made by the command line. */
  public ExportCommand() {}

  /**
   * The content of {@code --json}.
   *
   * @param iteration the last completed one
   * @param epoch of the next iteration
   * @param configuration digest of the network's configuration, as the manifest has it
   * @param bytes of the file
   */
  record Report(
      String store,
      String job,
      String group,
      String checkpoint,
      int rank,
      int iteration,
      int epoch,
      String configuration,
      long parameters,
      String format,
      String output,
      long bytes) {}

  @Override
  public Integer call() throws IOException {
    if (rank < 0) {
      throw new IllegalArgumentException("--rank is " + rank + ": give 0 or more");
    }
    try (CheckpointStore opened = CheckpointStores.openForReading(store);
        StoredRank stored = StoredRank.open(opened, find(opened), rank, label())) {
      SavedTraining training = SavedTraining.read(stored, trusted);
      format.write(training, stored.id(), output);
      print(
          new Report(
              opened.describe(),
              stored.id().group().job(),
              stored.id().group().group(),
              stored.id().label(),
              rank,
              training.iteration(),
              training.epoch(),
              training.configurationDigest(),
              training.model().numParams(),
              format.toString(),
              output.toString(),
              Files.size(output)));
    }
    return ExitCodes.GOOD;
  }

  private Optional<String> label() {
    return checkpoint.equals(NEWEST) ? Optional.empty() : Optional.of(checkpoint);
  }

  /** The one group of that name. */
  private GroupId find(CheckpointStore in) throws IOException {
    List<GroupId> known = new ArrayList<>();
    for (String each : Inventory.jobs(in)) {
      known.addAll(Inventory.groups(in, each));
    }
    List<GroupId> found =
        known.stream()
            .filter(id -> id.group().equals(group) && id.job().equals(job.orElse(id.job())))
            .toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    throw new IllegalArgumentException(
        found.isEmpty()
            ? "no group '" + group + "' in " + in.describe() + "; there is " + known
            : "'" + group + "' is a group of several jobs; name one by --job: " + found);
  }

  private void print(Report report) {
    spec.commandLine()
        .getOut()
        .println(
            json
                ? Json.text(report)
                : String.format(
                    Locale.ROOT,
                    "%s/%s %s: %d parameters after iteration %d, written to %s as %s (%d bytes)",
                    report.job(),
                    report.group(),
                    report.checkpoint(),
                    report.parameters(),
                    report.iteration(),
                    report.output(),
                    report.format(),
                    report.bytes()));
  }
}

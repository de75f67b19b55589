package io.cairn.models;

import io.cairn.cli.CairnCommand;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.GroupSelection;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Units;
import io.cairn.cli.WritableFile;
import io.cairn.dl4j.SavedTraining;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cairn export}: a checkpoint of a DL4J training as a file of another format. */
@Command(
    name = "export",
    description = {
      "Write the network of a checkpoint as a file.",
      "dl4j-zip: ModelSerializer opens it; with updater state, counters and normaliser.",
      "safetensors: one tensor per parameter, row-major; without updater state.",
      "Every chunk is compared with its checksum. A training that runs is not disturbed."
    })
public final class ExportCommand implements CairnCommand {
  @Mixin private GroupSelection selection = new GroupSelection();

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "The file; an older one is replaced when all is written.")
  private Path file = Path.of("");

  @Option(
      names = "--checkpoint",
      paramLabel = "CHECKPOINT",
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
      names = "--trust",
      paramLabel = "PACKAGE.",
      description =
          "The beginning of the names of classes that the network may have besides DL4J's, such as"
              + " com.acme.; may be repeated. Their code runs.")
  private List<String> trusted = List.of();

  @Mixin private Dl4jOption dl4j = new Dl4jOption();

  @Mixin private JsonOption json = new JsonOption();

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
      String file,
      long bytes) {}

  @Override
  public Integer call() throws IOException {
    return dl4j.run(this::write);
  }

  private int write() throws IOException {
    if (rank < 0) {
      throw new IllegalArgumentException("--rank is " + rank + ": give 0 or more");
    }
    try (CheckpointStore opened = selection.openForReading();
        StoredRank stored =
            StoredRank.open(opened, selection.only(List.of(opened)), rank, label())) {
      SavedTraining training = SavedTraining.read(stored, trusted);
      format.write(training, stored.id(), file);
      Report report =
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
              file.toString(),
              Files.size(file));
      json.print(report, out -> out.println(text(report)));
    }
    return ExitCodes.GOOD;
  }

  private Optional<String> label() {
    return checkpoint.equals(NEWEST) ? Optional.empty() : Optional.of(checkpoint);
  }

  private static String text(Report report) {
    return String.format(
        Locale.ROOT,
        "%s/%s %s: %d parameters after iteration %d, written to %s as %s (%s)",
        report.job(),
        report.group(),
        report.checkpoint(),
        report.parameters(),
        report.iteration(),
        report.file(),
        report.format(),
        Units.bytes(report.bytes()));
  }
}

package io.cairn.examples.trouble;

import io.cairn.Cairn;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.LocalTree;
import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.cli.WritableFile;
import io.cairn.training.RollBack;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn demo trouble}: trainings that roll back out of trouble. */
@Command(
    name = "trouble",
    description = {
      "Plant flipped bits, NaN and a high learning rate; the training rolls back by itself.",
      "%nA small convolutional network learns handwritten digits, six times, in this process. Exits"
          + " with 1 unless the training with faults of memory ends with the bits of the"
          + " undisturbed one, the training with a bad minibatch with those of a training without"
          + " it, and the training with a high rate soundly."
    })
public final class TroubleCommand implements Callable<Integer> {
  /** How much worse than the undisturbed training a changed one may end. */
  private static final double MOST_LOST = 0.1;

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      converter = WritableFile.class,
      defaultValue = "cairn-trouble.png",
      description = "Where the picture of the losses goes, as PNG (${DEFAULT-VALUE}).")
  private Path picture = Path.of("cairn-trouble.png");

  @Option(
      names = "--epochs",
      defaultValue = "4",
      description = "Passes over the training samples, 2 to 20 (${DEFAULT-VALUE}).")
  private int epochs;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of data split, weights and dropout (${DEFAULT-VALUE}).")
  private long seed;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by the command line. */
  public TroubleCommand() {}

  @Override
  public Integer call() throws IOException {
    if (epochs < 2 || epochs > 20) {
      throw new IllegalArgumentException("--epochs is " + epochs + ": give 2 to 20");
    }
    long start = System.nanoTime();
    Path root = Files.createTempDirectory("cairn-trouble-");
    try (Cairn cairn = open(root)) {
      TroubleReport report = run(new TroubleTrainings(cairn, seed, epochs), start);
      new LossPicture(report).write(picture);
      json.print(report, out -> print(report, out));
      return report.good() ? ExitCodes.GOOD : ExitCodes.BAD;
    } finally {
      LocalTree.delete(root);
    }
  }

  private static Cairn open(Path root) throws IOException {
    return Cairn.open(
        Map.of(
            "job", "trouble",
            "store", root.resolve("store").toString(),
            "node.dir", root.resolve("node").toString(),
            "device.dir", root.resolve("device").toString(),
            "device.cacheSize", "32m",
            "chunkSize", "256k",
            "node.every", "10",
            "store.every", "50"));
  }

  private TroubleReport run(TroubleTrainings trainings, long start) {
    say("Undisturbed, and without the bad minibatch");
    TroubleTrainings.Ended undisturbed = trainings.undisturbed();
    TroubleTrainings.Ended without = trainings.withoutBadMinibatch();
    say("A flipped bit, without a guard");
    TroubleTrainings.Ended unguarded = trainings.unguarded();
    say("Faults of memory, with a guard");
    TroubleTrainings.Ended faults = trainings.faults();
    say("A bad minibatch, with a guard that leaves it out");
    TroubleTrainings.Ended badData = trainings.badData();
    say("A high learning rate, with a guard that reduces it");
    TroubleTrainings.Ended highRate = trainings.highRate();
    double least = undisturbed.accuracy() - MOST_LOST;
    List<TroubleReport.Training> all =
        List.of(
            compared("undisturbed", undisturbed, undisturbed),
            sound("flip, unguarded", unguarded, true),
            compared("faults of memory", faults, undisturbed),
            compared("bad minibatch", badData, without),
            sound(
                "high rate",
                highRate,
                highRate.finite()
                    && highRate.accuracy() >= least
                    && !highRate.rollBacks().isEmpty()));
    return new TroubleReport(
        all.stream().allMatch(TroubleReport.Training::good),
        trainings.minibatches() * epochs,
        all,
        (System.nanoTime() - start) / 1e9);
  }

  private static TroubleReport.Training compared(
      String name, TroubleTrainings.Ended ended, TroubleTrainings.Ended expected) {
    boolean troubled = ended.planted().isEmpty() || !ended.rollBacks().isEmpty();
    boolean good = troubled && ended.finite() && ended.digest().equals(expected.digest());
    return training(name, ended, expected.digest().hex(), good);
  }

  private static TroubleReport.Training sound(
      String name, TroubleTrainings.Ended ended, boolean good) {
    return training(name, ended, "", good);
  }

  private static TroubleReport.Training training(
      String name, TroubleTrainings.Ended ended, String expected, boolean good) {
    return new TroubleReport.Training(
        name,
        ended.planted(),
        ended.rollBacks().stream().map(TroubleCommand::back).toList(),
        ended.digest().hex(),
        expected,
        ended.accuracy(),
        good,
        ended.losses());
  }

  private static TroubleReport.Back back(RollBack rollBack) {
    return new TroubleReport.Back(
        rollBack.iteration(),
        rollBack.loss(),
        rollBack.restored().label(),
        rollBack.restored().iteration(),
        rollBack.level().name(),
        rollBack.took().toNanos() / 1e6,
        rollBack.remedy());
  }

  private void print(TroubleReport report, PrintWriter out) {
    Table backs = new Table("training", ">iteration", ">loss", "back to", "at", ">took", "then");
    for (TroubleReport.Training training : report.trainings()) {
      for (TroubleReport.Back back : training.rollBacks()) {
        backs.row(
            training.name(),
            Long.toString(back.iteration()),
            number("%.3g", back.loss()),
            back.restored(),
            back.level(),
            Units.seconds(back.millis() / 1e3),
            back.remedy().isEmpty() ? "the same again" : back.remedy());
      }
    }
    Table ends = new Table("training", ">accuracy", ">last loss", "digest", "verdict");
    for (TroubleReport.Training training : report.trainings()) {
      ends.row(
          training.name(),
          number("%.2f %%", 100 * training.accuracy()),
          number("%.3g", training.losses().get(training.losses().size() - 1).loss()),
          training.digest().substring(0, 12) + "…",
          verdict(training));
    }
    backs.lines().forEach(out::println);
    out.println();
    ends.lines().forEach(out::println);
    out.println("Picture: " + picture);
  }

  private static String verdict(TroubleReport.Training training) {
    String good = training.good() ? "" : "NOT ";
    return switch (training.name()) {
      case "undisturbed" -> "";
      case "flip, unguarded" -> "shows the harm";
      case "faults of memory" -> good + "the bits of the undisturbed training";
      case "bad minibatch" -> good + "the bits of a training without that minibatch";
      default -> good + "sound";
    };
  }

  private static String number(String format, double value) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, format, value)
        : Double.toString(value);
  }

  private void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }
}

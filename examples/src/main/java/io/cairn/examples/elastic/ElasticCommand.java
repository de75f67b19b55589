package io.cairn.examples.elastic;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.LocalTree;
import io.cairn.cli.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn demo elastic}: one training on four, three and again four executors. */
@Command(
    name = "elastic",
    description = {
      "Lose executors, go on with fewer and with more, equal to the last bit.",
      "%nTrains the digits' network data-parallel on four processes. One is killed, and three go"
          + " on. The first of them is killed, too, and four go on. Exits with 1 unless the model"
          + " has the bits of an undisturbed training on one process."
    })
public final class ElasticCommand implements Callable<Integer> {
  private static final int MOST = 4;

  @Option(
      names = "--virtual-ranks",
      defaultValue = "12",
      description =
          "Minibatches of each step, 4 to 64, whose gradients are added up"
              + " (${DEFAULT-VALUE}).")
  private int virtualRanks;

  @Option(
      names = "--steps",
      defaultValue = "60",
      description = "Steps of the training, 6 to 10000 (${DEFAULT-VALUE}).")
  private int steps;

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (virtualRanks < MOST || virtualRanks > 64 || steps < 6 || steps > 10_000) {
      throw new IllegalArgumentException("give --virtual-ranks 4 to 64, --steps 6 to 10000");
    }
    long start = System.nanoTime();
    Path root = Files.createTempDirectory("cairn-elastic-");
    try {
      ElasticTraining training = new ElasticTraining(virtualRanks, steps);
      String undisturbed = run(root.resolve("undisturbed"), training).complete(1);
      ElasticRun disturbed = run(root.resolve("disturbed"), training);
      disturbed.kill(MOST, steps / 3, MOST - 1);
      disturbed.kill(MOST - 1, 2L * steps / 3, 0);
      String digest = disturbed.complete(MOST);
      ElasticReport report =
          new ElasticReport(
              digest.equals(undisturbed),
              virtualRanks,
              steps,
              disturbed.attempts(),
              digest,
              undisturbed,
              (System.nanoTime() - start) / 1e9);
      json.print(report, out -> print(report, out));
      return report.identical() ? ExitCodes.GOOD : ExitCodes.BAD;
    } finally {
      LocalTree.delete(root);
    }
  }

  private ElasticRun run(Path root, ElasticTraining training) throws IOException {
    return new ElasticRun(Files.createDirectory(root), training, this::say);
  }

  private static void print(ElasticReport report, PrintWriter out) {
    Table table = new Table(">executors", ">from step", ">killed in step");
    for (ElasticRun.Attempt attempt : report.attempts()) {
      table.row(
          Integer.toString(attempt.executors()),
          Long.toString(attempt.from()),
          attempt.killedAt() < 0 ? "-" : Long.toString(attempt.killedAt()));
    }
    table.lines().forEach(out::println);
    out.printf("disturbed   %s%n", report.disturbed());
    out.printf("undisturbed %s%n", report.undisturbed());
    out.printf(
        Locale.ROOT,
        "SHA-256 of parameters and updater state, %d virtual ranks, %d steps: %s%n",
        report.virtualRanks(),
        report.steps(),
        report.identical() ? "identical" : "DIFFERENT");
  }

  private void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }
}

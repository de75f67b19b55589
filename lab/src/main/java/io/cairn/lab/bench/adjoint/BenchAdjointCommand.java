package io.cairn.lab.bench.adjoint;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Progress;
import io.cairn.cli.Table;
import io.cairn.lab.LabCommand;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench adjoint}: what it costs to read states backward. */
@Command(
    name = "adjoint",
    description = {
      "Store a state per step, then read them in reverse: with a history, in memory, with a file"
          + " per step, and with steps that run again.",
      "The cache holds a tenth of the states. The default takes some four minutes, and 7 GiB of"
          + " shared memory."
    })
public final class BenchAdjointCommand implements LabCommand {
  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "800",
      description = "Steps, 100 or more. Default: ${DEFAULT-VALUE}.")
  private int steps;

  @Option(
      names = "--kib",
      paramLabel = "N",
      defaultValue = "4096",
      description = "Size of a state, a multiple of 64. Default: ${DEFAULT-VALUE}.")
  private int kib;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds, whose medians count. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    if (steps < 100 || kib < 64 || kib % 64 != 0 || kib > 65_536 || rounds < 1) {
      throw new IllegalArgumentException(
          "give --steps 100 or more, --kib a multiple of 64 up to 65536, --rounds 1 or more");
    }
    AdjointFigures figures;
    try (Scratch scratch = Scratch.create();
        Progress progress = Progress.counting("bench adjoint", 7, "part")) {
      figures =
          new AdjointBenchmark(steps, kib << 10, steps / 10, rounds).measure(scratch, progress);
    }
    json.print(figures, out -> print(figures, out));
    return figures.bars().stream().allMatch(Bar::met) ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private static void print(AdjointFigures figures, PrintWriter out) {
    out.printf("%s%n%s%n", figures.machine(), figures.date());
    MoveTimes rates = figures.rates();
    out.printf(
        Locale.ROOT,
        "%d steps of %d KiB, %d of them cached; a state: down %.2f ms, up %.2f, store %.2f, restore"
            + " %.2f%n%n",
        figures.steps(),
        figures.stateBytes() >> 10,
        figures.cachedStates(),
        rates.downMillis(),
        rates.upMillis(),
        rates.storeMillis(),
        rates.restoreMillis());
    Table cases = new Table("compute", ">total ms", ">bound", ">in memory", ">waited backward");
    for (AdjointFigures.Case one : figures.cases()) {
      cases.row(
          one.name(),
          number(one.totalMillis()),
          number(one.boundMillis()),
          number(one.inMemoryMillis()),
          number(one.waitedBackwardPercent()) + " %");
    }
    cases.lines().forEach(out::println);
    out.println();
    Table overlapped =
        new Table("places for a fifth", ">kept", ">total ms", ">predicted", ">bound");
    for (AdjointFigures.Overlap one : figures.overlapped()) {
      overlapped.row(
          one.name(),
          String.valueOf(one.kept()),
          number(one.totalMillis()),
          number(one.predictedMillis()),
          number(one.boundMillis()));
    }
    overlapped.lines().forEach(out::println);
    out.println();
    Table rivals = new Table("way", ">total ms", ">beyond compute");
    for (AdjointFigures.Rival one : figures.rivals()) {
      rivals.row(one.name(), number(one.totalMillis()), number(one.beyondComputeMillis()));
    }
    rivals.lines().forEach(out::println);
    out.println();
    Table sharing = new Table("cache", ">local only, ms", ">shared", ">gain");
    for (AdjointFigures.Sharing one : figures.sharing()) {
      sharing.row(
          one.cachePercent() + " %",
          number(one.localOnlyMillis()),
          number(one.sharedMillis()),
          String.format(Locale.ROOT, "%.2f", one.gain()));
    }
    sharing.lines().forEach(out::println);
    out.println();
    figures.bars().forEach(out::println);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}

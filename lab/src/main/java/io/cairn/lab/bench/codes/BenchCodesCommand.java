package io.cairn.lab.bench.codes;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.lab.LabCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench codes}: the rates of the codes of PEER. */
@Command(
    name = "codes",
    description = {
      "Compute parities and lost pieces by the codes of PEER, on one thread, and report the bytes"
          + " read per second.",
      "Takes some ten seconds; leave the machine alone meanwhile."
    })
public final class BenchCodesCommand implements LabCommand {
  private static final int PIECE_BYTES = 1 << 20;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "40",
      description = "Rounds of each figure, half of which warm up. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    CodesReport report = new CodesBenchmark(PIECE_BYTES, rounds, 50).run();
    json.print(report, out -> print(report, out));
    return report.passed() ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private static void print(CodesReport report, PrintWriter out) {
    out.printf("%s%n%s%n", report.machine(), report.date());
    out.printf(
        "pieces of %s, one thread, GB of input per second%n%n", Units.bytes(report.pieceBytes()));
    Table table = new Table("code", ">data", ">parities", ">encode one", ">encode all", ">rebuild");
    for (CodesReport.Code code : report.codes()) {
      table.row(
          code.scheme(),
          Integer.toString(code.data()),
          Integer.toString(code.parities()),
          rate(code.encodeGBps()),
          rate(code.encodeAllGBps()),
          rate(code.rebuildGBps()));
    }
    table.lines().forEach(out::println);
    out.println();
    report.bars().forEach(out::println);
  }

  private static String rate(double gigabytesPerSecond) {
    return String.format(Locale.ROOT, "%.2f", gigabytesPerSecond);
  }
}

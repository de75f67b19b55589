package io.cairn.lab.bench.codec;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Table;
import io.cairn.cli.Units;
import io.cairn.lab.LabCommand;
import io.cairn.lab.bench.codec.CodecBenchmark.Line;
import io.cairn.lab.bench.codec.CodecBenchmark.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench codec}: how much shorter chunks become, and how fast. */
@Command(
    name = "codec",
    description = {
      "Encode and decode chunks of 4 MiB with each codec, on one thread.",
      "Reports the stored part of their bytes and bytes per second. Takes half a minute."
    })
public final class BenchCodecCommand implements LabCommand {
  private static final int CHUNK_BYTES = 4 << 20;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "20",
      description = "Chunks per content and codec. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException {
    Report report = new CodecBenchmark(CHUNK_BYTES, Math.max(1, rounds)).run();
    json.print(report, out -> print(report, out));
    return ExitCodes.GOOD;
  }

  private static void print(Report report, PrintWriter out) {
    out.printf("%s%n%s%n", report.machine(), report.date());
    out.printf(
        Locale.ROOT,
        "chunks of %s, %d rounds%n%n",
        Units.bytes(report.chunkBytes()),
        report.rounds());
    Table table =
        new Table("content", "codec", "stored as", ">part", ">encode GB/s", ">decode GB/s");
    for (Line line : report.lines()) {
      table.row(
          line.content(),
          line.codec(),
          line.encoding(),
          String.format(Locale.ROOT, "%.1f %%", 100 * line.ratio()),
          rate(line.encodeRate()),
          line.decodeRate() == 0 ? "–" : rate(line.decodeRate()));
    }
    table.lines().forEach(out::println);
  }

  private static String rate(double bytesPerSecond) {
    return String.format(Locale.ROOT, "%.2f", bytesPerSecond / 1e9);
  }
}

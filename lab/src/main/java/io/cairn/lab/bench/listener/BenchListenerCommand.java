package io.cairn.lab.bench.listener;

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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn-lab bench listener}: what checkpointing costs a training, beside DL4J's own. */
@Command(
    name = "listener",
    description = {
      "Train one network without checkpoints, with DL4J's CheckpointListener and with Cairn.",
      "The network's parameters and Adam's state are 238 MB. The three take turns in one run, so"
          + " that drift of the machine hits all alike. Takes two to five minutes, 1.5 GiB of"
          + " shared memory and 1 GiB of disk."
    })
public final class BenchListenerCommand implements LabCommand {
  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "60",
      description = "Iterations per mode; at least 48. Default: ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(
      names = "--saves",
      paramLabel = "N",
      defaultValue = "5",
      description = "Iterations with CheckpointListener; at least 2. Default: ${DEFAULT-VALUE}.")
  private int saves;

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    PrintWriter progress = spec.commandLine().getErr();
    ListenerReport report =
        new ListenerBenchmark(ListenerPlan.full(iterations, saves)).run(progress::println);
    json.print(report, out -> print(report, out));
    return report.passed() ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private static void print(ListenerReport report, PrintWriter out) {
    out.printf("%s%n%s%n", report.machine(), report.date());
    out.printf(
        "%s of state; a plain copy of it takes %s ms%n%n",
        Units.bytes(report.bytes()), millis(report.memcpyMillis()));
    Table table =
        new Table(
            "mode",
            ">iteration ms",
            ">without",
            ">stall p50 ms",
            ">p99",
            ">max",
            ">interference",
            ">in all",
            ">device/node/store",
            ">skipped",
            "restored",
            ">in ms",
            ">bytes");
    report.modes().forEach(mode -> addRow(mode, table));
    table.lines().forEach(out::println);
    out.println();
    report.bars().forEach(out::println);
  }

  private static void addRow(ListenerReport.Mode mode, Table table) {
    ListenerReport.Checkpoints checkpoints = mode.checkpoints();
    Boolean identical = mode.restoredIdentical();
    ListenerReport.Restored restored = mode.restored();
    table.row(
        mode.name(),
        millis(mode.iterationMillis().p50()),
        millis(mode.iterationMillis().bareP50()),
        millis(mode.stallMillis().p50()),
        millis(mode.stallMillis().p99()),
        millis(mode.stallMillis().max()),
        String.format(Locale.ROOT, "%+.1f %%", mode.interferencePercent()),
        String.format(Locale.ROOT, "%+.1f %%", mode.totalOverheadPercent()),
        checkpoints.device() + "/" + checkpoints.node() + "/" + checkpoints.store(),
        mode.skipped(),
        identical == null ? "" : identical ? "identical" : "DIFFERENT",
        restored == null ? "" : millis(restored.millis()),
        restored == null ? "" : Units.bytes(restored.bytes()));
  }

  private static String millis(double millis) {
    return String.format(Locale.ROOT, millis < 100 ? "%.2f" : "%.0f", millis);
  }
}

package io.cairn.lab.gpu;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.Units;
import io.cairn.lab.LabCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cairn-lab gpu-kit}: packs all that a machine with a GPU needs to try Cairn. */
@Command(
    name = "gpu-kit",
    description = {
      "Pack a kit into DIR and DIR.tar.gz that tries and measures Cairn on a GPU.",
      "That machine needs NVIDIA's driver and glibc 2.34 or later. There, run.sh writes a report."
    })
public final class GpuKitCommand implements LabCommand {
  private static final long MOST_BYTES = 30_000_000;

  @Parameters(paramLabel = "DIR", description = "A directory that is made; it must not exist.")
  private Path directory = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Path archive = new KitPacking(directory.toAbsolutePath().normalize()).pack();
    long bytes = Files.size(archive);
    out.printf("%s: %s, of at most %s%n", archive, Units.bytes(bytes), Units.bytes(MOST_BYTES));
    if (bytes > MOST_BYTES) {
      out.println("The kit is too large: look for a library in lib that it does not need.");
      return ExitCodes.BAD;
    }
    out.println("Copy it to the machine, unpack it, and start run.sh there.");
    return ExitCodes.GOOD;
  }
}

package io.cairn.lab.bench;

import io.cairn.lab.LabCommand;
import io.cairn.lab.bench.adjoint.BenchAdjointCommand;
import io.cairn.lab.bench.codec.BenchCodecCommand;
import io.cairn.lab.bench.codes.BenchCodesCommand;
import io.cairn.lab.bench.collaborative.BenchCollaborativeCommand;
import io.cairn.lab.bench.failover.BenchFailoverCommand;
import io.cairn.lab.bench.flow.BenchFlowCommand;
import io.cairn.lab.bench.flush.BenchFlushCommand;
import io.cairn.lab.bench.listener.BenchListenerCommand;
import io.cairn.lab.bench.page.BenchPageCommand;
import io.cairn.lab.bench.pattern.BenchPatternCommand;
import io.cairn.lab.bench.scale.BenchScaleCommand;
import io.cairn.lab.bench.small.BenchSmallCommand;
import io.cairn.lab.bench.staging.BenchStagingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn-lab bench}: the measurements. */
@Command(
    name = "bench",
    description = "Measure what checkpoints and schedules cost on this machine.",
    subcommands = {
      BenchListenerCommand.class,
      BenchFlowCommand.class,
      BenchPatternCommand.class,
      BenchCollaborativeCommand.class,
      BenchSmallCommand.class,
      BenchFlushCommand.class,
      BenchScaleCommand.class,
      BenchCodesCommand.class,
      BenchCodecCommand.class,
      BenchStagingCommand.class,
      BenchAdjointCommand.class,
      BenchPageCommand.class,
      BenchFailoverCommand.class
    },
    synopsisSubcommandLabel = "BENCHMARK",
    commandListHeading = "%nBenchmarks:%n")
public final class BenchCommand implements LabCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "no benchmark given");
  }
}

package io.cairn.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.LabCommand;
import io.cairn.lab.bench.listener.BenchListenerCommand;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command as the launcher finds it. */
class BenchCommandTest {
  @Test
  void theLauncherFindsIt() {
    assertThat(ServiceLoader.load(LabCommand.class)).hasAtLeastOneElementOfType(BenchCommand.class);
  }

  @Test
  void everyBenchmarkIsThere() {
    assertThat(new CommandLine(new BenchCommand()).getSubcommands())
        .containsOnlyKeys(
            "adjoint",
            "codec",
            "codes",
            "collaborative",
            "failover",
            "flow",
            "flush",
            "listener",
            "page",
            "pattern",
            "scale",
            "small",
            "staging");
  }

  @Test
  void theHelpNamesOptionsAndCost() {
    assertThat(new CommandLine(new BenchListenerCommand()).getUsageMessage())
        .contains("--json", "--output=FILE", "--iterations=N", "238 MB");
  }
}

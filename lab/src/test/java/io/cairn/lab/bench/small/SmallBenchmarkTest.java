package io.cairn.lab.bench.small;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.bench.BenchCommand;
import io.cairn.lab.bench.small.SmallReport.Case;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SmallBenchmarkTest {
  private static final SmallBenchmark SHORT = new SmallBenchmark(10, 2);

  @Test
  void everyIterationOfALoopIsCaptured() throws Exception {
    List<Case> cases =
        SHORT.run("loop", (mode, scratch) -> new PlainLoop(mode, scratch, 1600, 1.0));

    assertThat(cases).extracting(Case::mode).containsExactly(Mode.values());
    assertThat(cases).extracting(Case::bytes).containsOnly(1600L);
    assertThat(cases.subList(1, 3))
        .allSatisfy(every -> assertThat(every.iterations()).isGreaterThanOrEqualTo(4))
        .extracting(Case::capturedPercent)
        .containsOnly(100.0);
  }

  @Test
  void everyIterationOfANetworkIsCaptured() throws Exception {
    List<Case> cases = SHORT.run("network", (mode, scratch) -> new SmallNetwork(mode, scratch, 4));

    assertThat(cases.subList(1, 3)).extracting(Case::capturedPercent).containsOnly(100.0);
  }

  @Test
  void theCommandIsOneOfTheBenchmarks() {
    assertThat(new CommandLine(new BenchCommand()).getSubcommands()).containsKey("small");
  }
}

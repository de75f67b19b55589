package io.cairn.lab.bench.small;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.cairn.lab.bench.BenchCommand;
import io.cairn.lab.bench.small.SmallBenchmark.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SmallBenchmarkTest {
  @Test
  void everyCaptureOfEachPhaseIsCounted() throws Exception {
    SmallReport report =
        new SmallBenchmark(1000, 5, 0).run(List.of(new Plan("cold", 3), new Plan("warm", 7)));

    assertThat(report.phases())
        .extracting(SmallReport.Phase::name, SmallReport.Phase::captures)
        .containsExactly(tuple("cold", 3), tuple("warm", 7));
    assertThat(report.phases())
        .allSatisfy(phase -> assertThat(phase.wallMicros().p99()).isPositive())
        .allSatisfy(phase -> assertThat(phase.allocatedBytes()).isPositive());
  }

  @Test
  void theCommandIsOneOfTheBenchmarks() {
    assertThat(new CommandLine(new BenchCommand()).getSubcommands()).containsKey("small");
  }
}

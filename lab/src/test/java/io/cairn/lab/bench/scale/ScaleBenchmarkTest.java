package io.cairn.lab.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.bench.BenchCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ScaleBenchmarkTest {
  @TempDir Path directory;

  @Test
  @Timeout(180)
  void everyRankReceivesEverySeal() throws Exception {
    ScaleReport.Run run = new ScaleBenchmark(directory).run(new ScalePlan(10, 4, 20, 1));

    assertThat(run.plan().executors()).isEqualTo(3);
    assertThat(run.settled()).isEqualTo(20);
    assertThat(run.settleMillis().max()).isPositive();
    assertThat(run.training().requestsPerSecond()).isPositive();
  }

  @Test
  void theCommandIsOneOfTheBenchmarks() {
    assertThat(new CommandLine(new BenchCommand()).getSubcommands()).containsKey("scale");
  }
}

package io.cairn.lab.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ScaleBenchmarkTest {
  @TempDir Path directory;

  @Test
  @Timeout(180)
  void everyRankReceivesEverySeal() throws Exception {
    ScalePlan plan = new ScalePlan(10, 4, 20, 1);
    BenchReport report = new BenchReport("scale");
    new ScaleBenchmark(directory, report).run(plan);

    assertThat(plan.executors()).isEqualTo(3);
    FigureTable.Row group = report.tables().get(0).rows().get(0);
    assertThat(group.number("settled")).isEqualTo(20);
    assertThat(group.number("settle max ms")).isPositive();
    assertThat(report.tables().get(1).rows())
        .extracting(row -> row.get("while"))
        .containsExactly("idle", "training");
    assertThat(report.tables().get(1).rows().get(1).number("requests/s")).isPositive();
  }
}

package io.cairn.lab.bench.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class FlushBenchmarkTest {
  private final BenchReport report = new BenchReport("flush");

  private FigureTable.Row row() {
    return report.tables().get(0).rows().get(0);
  }

  @Test
  void capturesAndCopiesAreMeasured() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      new CaptureBenchmark(8, 3, 2).run(scratch, report.table("captures").row(), report);
      assertThat(row().get("MiB")).isEqualTo(8);
      assertThat(row().number("copy p50 ms")).isPositive();
      assertThat(row().number("capture p50 ms")).isPositive();
      assertThat(report.bars()).hasSize(2);
    }
  }

  @Test
  void aStateThatChangesLittleIsWrittenInFewBytes() throws Exception {
    new DifferentialBenchmark(96, 10).run(report);

    assertThat(row().number("bytes / whole")).isBetween(0.05, 0.25);
    assertThat(row().number("time / whole")).isPositive();
  }

  @Test
  void theChunksOfAStateAreItsBytes() {
    FlushedState state = new FlushedState(260);

    assertThat(state.bytes()).isEqualTo(260L << 20);
    assertThat(state.chunks()).hasSize(65).allMatch(chunk -> chunk.remaining() == 4 << 20);
    ByteBuffer first = state.chunks().get(64);
    byte before = first.get(0);
    state.change();
    assertThat(first.get(0)).isNotEqualTo(before);
  }

  @Test
  void anOverloadedStoreLosesNothing() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      new OverloadBenchmark(1).run(scratch, report);
      assertThat(row().number("lost")).isZero();
      assertThat(row().number("peak MiB")).isBetween(1e-6, row().number("limit MiB"));
      assertThat(report.bars()).hasSize(4);
    }
  }
}

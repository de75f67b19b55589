package io.cairn.lab.bench.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.bench.flush.CaptureBenchmark.Captures;
import io.cairn.lab.bench.flush.DifferentialBenchmark.Measured;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import java.nio.ByteBuffer;
import java.util.List;
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
    }
  }

  @Test
  void aStateThatChangesLittleIsWrittenInFewBytes() throws Exception {
    new DifferentialBenchmark(96, 10).run(report);

    assertThat(row().number("bytes / whole")).isBetween(0.05, 0.25);
    assertThat(row().number("time / whole")).isPositive();
  }

  /** The bars that do not hold. */
  private List<String> missed() {
    return report.bars().stream().filter(bar -> !bar.met()).map(Bar::name).toList();
  }

  private static FigureTable.Row anyRow() {
    return new BenchReport("flush").table("figures").row();
  }

  private static LevelsBenchmark.Beside beside(long bare, long own) {
    LevelsBenchmark.Beside beside = new LevelsBenchmark.Beside();
    beside.bare().add(bare * 1_000_000);
    beside.own().add(own * 1_000_000);
    return beside;
  }

  @Test
  void aCaptureIsHeldAgainstACopyAndItsOwnMiddle() {
    CaptureBenchmark benchmark = new CaptureBenchmark(8, 3, 2);
    benchmark.judge(report, anyRow(), new Captures(20, 26, 40));
    assertThat(missed()).isEmpty();
    benchmark.judge(report, anyRow(), new Captures(20, 28, 40));
    assertThat(missed()).containsExactly("8 MiB: capture / copy");
    benchmark.judge(report, anyRow(), new Captures(20, 19, 40));
    assertThat(missed()).containsExactly("8 MiB: capture / copy", "8 MiB: capture p95 / p50");
  }

  @Test
  void eachLevelHasItsShareOfTheBareSpeed() {
    LevelsBenchmark.judge(report, beside(85, 100), beside(90, 100), beside(85, 100));
    LevelsBenchmark.judge(report, beside(200, 100), beside(200, 100), beside(200, 100));
    assertThat(missed()).isEmpty();
    LevelsBenchmark.judge(report, beside(84, 100), beside(90, 100), beside(85, 100));
    LevelsBenchmark.judge(report, beside(85, 100), beside(89, 100), beside(85, 100));
    LevelsBenchmark.judge(report, beside(85, 100), beside(90, 100), beside(84, 100));
    assertThat(missed())
        .containsExactly("NODE / file channel", "STORE / HDFS client", "restore / HDFS read");
  }

  @Test
  void aCheckpointThatLeansTakesLittleOfAWholeOne() {
    DifferentialBenchmark benchmark = new DifferentialBenchmark(96, 10);
    Measured whole = new Measured(200, 1000);
    FigureTable.Row row = anyRow();
    benchmark.judge(report, row, whole, new Measured(80, 150));
    assertThat(row.number("bytes / whole")).isEqualTo(0.15);
    assertThat(row.number("time / whole")).isEqualTo(0.4);
    assertThat(missed()).isEmpty();
    benchmark.judge(report, anyRow(), whole, new Measured(80, 151));
    assertThat(missed()).containsExactly("10 % dirty: bytes / whole");
    benchmark.judge(report, anyRow(), whole, new Measured(81, 150));
    assertThat(missed()).containsExactly("10 % dirty: bytes / whole", "10 % dirty: time / whole");
  }

  private void overload(double peak, int lost, long during, long after) {
    OverloadBenchmark.judge(
        report,
        anyRow()
            .add("peak MiB", peak)
            .add("limit MiB", 2.0)
            .add("lost", lost)
            .add("STORE every, before", 50L)
            .add("during", during)
            .add("after", after));
  }

  @Test
  void anOverloadStretchesThePeriodAndIsOver() {
    overload(2, 0, 100, 100);
    overload(1, 0, 500, 60);
    assertThat(missed()).isEmpty();
    overload(2.1, 0, 100, 100);
    overload(2, 1, 100, 100);
    overload(2, 0, 99, 100);
    overload(2, 0, 100, 101);
    assertThat(missed())
        .containsExactly(
            "overload: MiB",
            "overload: lost",
            "overload: period of STORE / before",
            "recovered: period of STORE / before");
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
    }
  }
}

package io.cairn.lab.bench.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.bench.BenchCommand;
import io.cairn.lab.bench.flush.FlushReport.Beside;
import io.cairn.lab.bench.flush.FlushReport.Captures;
import io.cairn.lab.bench.flush.FlushReport.Differential;
import io.cairn.lab.bench.flush.FlushReport.Overload;
import io.cairn.lab.bench.flush.FlushReport.Periods;
import io.cairn.lab.bench.flush.FlushReport.Quantiles;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FlushBenchmarkTest {
  @Test
  void capturesAndCopiesAreMeasured() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      Captures captures = new CaptureBenchmark(8, 3, 2).run(scratch);

      assertThat(captures.mib()).isEqualTo(8);
      assertThat(captures.copyMillis()).isPositive();
      assertThat(captures.captureMillis().p50()).isPositive();
    }
  }

  @Test
  void aStateThatChangesLittleIsWrittenInFewBytes() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      Differential differential = new DifferentialBenchmark(96, 10).run(scratch);

      assertThat(differential.bytesRatio()).isBetween(0.05, 0.25);
      assertThat(differential.timeRatio()).isPositive();
    }
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
  void aBarIsMetByRatiosAlone() {
    Captures captures = new Captures(256, 20, new Quantiles(26, 40));
    FlushReport report =
        new FlushReport(
            "now",
            MeasuredMachine.current(),
            256,
            List.of(captures),
            new Beside(85, 100),
            new Beside(89, 100),
            new Beside(10, 100),
            List.of(new Differential(10, 0.14, 0.41)),
            new Overload(60, 1 << 20, 2 << 20, 0, 7, new Periods(50, 500, 60), 12));

    assertThat(report.bars())
        .extracting(Bar::met)
        .containsExactly(true, true, true, false, false, true, false, false, true, true, true);
    assertThat(report.passed()).isFalse();
  }

  @Test
  void anOverloadedStoreLosesNothing() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      Overload overload = new OverloadBenchmark(1).run(scratch);

      assertThat(overload.lost()).isZero();
      assertThat(overload.peakBytes()).isBetween(1L, overload.limitBytes());
    }
  }

  @Test
  void theCommandIsOneOfTheBenchmarks() {
    assertThat(new CommandLine(new BenchCommand()).getSubcommands()).containsKey("flush");
  }
}

package io.cairn.lab.bench.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.bench.BenchCommand;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CodesBenchmarkTest {
  @Test
  void eachCodeHasItsRates() {
    CodesReport report = new CodesBenchmark(1000, 4, 2).run();

    assertThat(report.codes()).extracting(CodesReport.Code::scheme).containsExactly("xor", "rs");
    assertThat(report.codes())
        .allSatisfy(code -> assertThat(code.encodeGBps()).isPositive())
        .allSatisfy(code -> assertThat(code.encodeAllGBps()).isPositive())
        .allSatisfy(code -> assertThat(code.rebuildGBps()).isPositive());
    assertThat(report.bars()).hasSize(4);
  }

  @Test
  void theCommandIsOneOfTheBenchmarks() {
    assertThat(new CommandLine(new BenchCommand()).getSubcommands()).containsKey("codes");
  }
}

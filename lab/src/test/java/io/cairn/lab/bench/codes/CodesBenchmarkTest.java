package io.cairn.lab.bench.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.measure.BenchReport;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CodesBenchmarkTest {
  @Test
  void eachCodeHasItsRates() {
    BenchReport report = new BenchReport("codes");
    BenchCodesCommand command = new BenchCodesCommand(1000);
    new CommandLine(command).parseArgs("--rounds", "4");
    command.measure(report);

    assertThat(report.tables().get(0).rows())
        .extracting(row -> row.get("code"))
        .containsExactly("xor", "rs");
    assertThat(report.tables().get(0).rows())
        .allSatisfy(code -> assertThat(code.number("encode one")).isPositive())
        .allSatisfy(code -> assertThat(code.number("encode all")).isPositive())
        .allSatisfy(code -> assertThat(code.number("rebuild one")).isPositive());
    assertThat(report.bars()).hasSize(4);
  }
}

package io.cairn.lab.bench.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CodecBenchmarkTest {
  @Test
  void everyContentIsMeasuredWithEveryCodec() throws IOException {
    BenchReport report = new BenchReport("codec");
    BenchCodecCommand command = new BenchCodecCommand(1 << 16);
    new CommandLine(command).parseArgs("--rounds", "1");
    command.measure(report);

    List<FigureTable.Row> lines = report.tables().get(0).rows();
    assertThat(lines).hasSize(3 * Content.values().length + 2 * Content.NUMBERS.size());
    assertThat(lines).allSatisfy(line -> assertThat(line.number("encode GB/s")).isPositive());
    assertThat(lines)
        .filteredOn(line -> Content.ZEROS.label().equals(line.get("content")))
        .allSatisfy(line -> assertThat(line.number("part %")).isLessThan(1));
    assertThat(lines)
        .filteredOn(line -> Content.RANDOM_BYTES.label().equals(line.get("content")))
        .extracting(line -> line.get("stored as"))
        .containsOnly("RAW");
    assertThat(lines)
        .filteredOn(
            line ->
                String.valueOf(line.get("content"))
                    .startsWith(Content.WEIGHTS.label() + ", within 0.01"))
        .singleElement()
        .satisfies(line -> assertThat(line.number("part %")).isLessThan(50));
  }
}

package io.cairn.lab.bench.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.bench.codec.CodecBenchmark.Line;
import io.cairn.lab.bench.codec.CodecBenchmark.Report;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class CodecBenchmarkTest {
  @Test
  void everyContentIsMeasuredWithEveryCodec() throws IOException {
    Report report = new CodecBenchmark(1 << 16, 1).run();

    assertThat(report.lines()).hasSize(3 * Content.values().length + 2 * Content.NUMBERS.size());
    assertThat(report.lines()).allSatisfy(line -> assertThat(line.encodeRate()).isPositive());
    assertThat(report.lines())
        .filteredOn(line -> line.content().equals(Content.ZEROS.label()))
        .allSatisfy(line -> assertThat(line.ratio()).isLessThan(0.01));
    assertThat(report.lines())
        .filteredOn(line -> line.content().equals(Content.RANDOM_BYTES.label()))
        .extracting(Line::encoding)
        .containsOnly("RAW");
    assertThat(report.lines())
        .filteredOn(line -> line.content().startsWith(Content.WEIGHTS.label() + ", within 0.01"))
        .singleElement()
        .satisfies(line -> assertThat(line.ratio()).isLessThan(0.5));
  }
}

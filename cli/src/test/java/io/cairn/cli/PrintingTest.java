package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables, units, progress and JSON. */
class PrintingTest {
  @TempDir Path directory;

  record Fold(String digest, List<Long> iterations, double accuracy) {}

  @Test
  void aTableAlignsTextLeftAndNumbersRight() {
    Table table = new Table("group", ">bytes", "state");
    table.row("fold-0", 7, "alive").row("a", 1024, "");
    assertThat(table.lines())
        .containsExactly("group   bytes  state", "fold-0      7  alive", "a        1024");
  }

  @Test
  void onANarrowTerminalWideTextGoesOnInFurtherLines() {
    Table table = new Table("kind", ">size", "why");
    table.row("arena", "1 KiB", "a process wrote to it and has ended since then");
    assertThat(table.lines(40))
        .containsExactly(
            "kind    size  why",
            "arena  1 KiB  a process wrote to it and",
            "              has ended since then");
    assertThat(table.lines(3)).as("too narrow").hasSizeGreaterThan(3);
  }

  @Test
  void aRowOfAnotherWidthIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Table("a", "b").row(1));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "882688, 862 KiB",
    "1610612736, 1.5 GiB",
    "9223372036854775807, 8.0 EiB"
  })
  void bytesHaveAReadableUnit(long bytes, String text) {
    assertThat(Units.bytes(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "4e-8, 40 ns",
    "0.00055102, 551 µs",
    "0.001, 1 ms",
    "0.0066667, 6.67 ms",
    "0.0999, 99.9 ms",
    "0.5, 0.5 s",
    "10, 10 s",
    "99.94, 99.9 s",
    "750, 12.5 min",
    "1800, 30 min",
    "36000, 10 h",
    "864000, 10 days"
  })
  void timesHaveAReadableUnit(double seconds, String text) {
    assertThat(Units.seconds(seconds)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 B", "845200, 845 kB", "999600, 1 MB", "10.56e6, 10.6 MB", "1.5e12, 1.5 TB"})
  void decimalBytesHaveAReadableUnit(double bytes, String text) {
    assertThat(Units.decimalBytes(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"0.0965820, 9.658 %", "19.23, 1923 %", "1e6, 1.000e+08 %", "Infinity, infinite"})
  void partsArePercents(double part, String text) {
    assertThat(Units.percent(part)).isEqualTo(text);
  }

  @Test
  void progressWithoutATerminalIsALinePerQuarterAndNoControlCode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Progress progress = Progress.lines(new PrintStream(bytes, true), "verify", 1000)) {
      for (int i = 0; i < 1000; i++) {
        progress.advance(1);
      }
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "verify: 25 % of 1000 B",
            "verify: 50 % of 1000 B", "verify: 75 % of 1000 B", "verify: 100 % of 1000 B");
  }

  @Test
  void aRecordIsReadBackAsItWasWritten() throws IOException {
    Fold fold = new Fold("ab", List.of(1L, Long.MAX_VALUE), 0.98);
    Path file = directory.resolve("new/fold.json");
    Json.write(file, fold);
    assertThat(Json.read(file, Fold.class)).isEqualTo(fold);
    assertThat(file).content().startsWith("{\n  \"digest\" : \"ab\",\n").endsWith("}\n");
  }

  @Test
  void jsonThatDoesNotFitIsRefusedWithFileAndPlace() throws IOException {
    Path file = Files.writeString(directory.resolve("x.json"), "{\n  \"digest\" : 1, \"no\": 2}");
    assertThatThrownBy(() -> Json.read(file, Fold.class))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("line: 2")
        .hasMessageContaining("\"no\"");
  }
}

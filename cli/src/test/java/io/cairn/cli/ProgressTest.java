package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressTest {
  private final ByteArrayOutputStream drawn = new ByteArrayOutputStream();

  /** A line that fills the terminal goes on in the next one, and is left there. */
  @ParameterizedTest
  @ValueSource(ints = {20, 40, 60, 80, 200})
  void aBarIsShorterThanTheTerminal(int columns) {
    PrintStream out = new PrintStream(drawn, true, StandardCharsets.UTF_8);
    try (Progress progress = Progress.bar(out, columns, "verify", 900L << 20)) {
      progress.advance(300L << 20);
    }
    String[] lines = drawn.toString(StandardCharsets.UTF_8).split("[\\r\\n]");
    assertThat(lines).isNotEmpty();
    for (String line : lines) {
      assertThat(line.replaceAll("\u001b\\[[0-9;]*[A-Za-z]", "").length())
          .as("'%s'", line)
          .isLessThan(columns);
    }
  }
}

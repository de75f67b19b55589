package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinesTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1 << 17})
  void splitsAtLineFeedsHoweverTheStreamComes(int portion) throws IOException {
    Random random = new Random(portion);
    List<String> expected = new ArrayList<>();
    for (int line = 0; line < 40; line++) {
      expected.add("x".repeat(line % 5 == 0 ? 0 : random.nextInt(100_000 / (1 + 999 / portion))));
    }
    expected.add("last");
    List<String> read = new ArrayList<>();
    try (Lines lines = new Lines(inPortions(String.join("\n", expected), portion))) {
      while (lines.next()) {
        read.add(new String(lines.line().readAllBytes(), StandardCharsets.UTF_8));
        assertThat(lines.number()).isEqualTo(read.size());
      }
      assertThat(lines.next()).isFalse();
    }
    assertThat(read).isEqualTo(expected);
  }

  @Test
  void whatIsLeftOfALineIsSkipped() throws IOException {
    try (Lines lines = new Lines(inPortions("abc".repeat(50_000) + "\n\nde\n", 1000))) {
      assertThat(lines.next()).isTrue();
      assertThat(lines.line().read()).isEqualTo('a');
      assertThat(lines.next()).isTrue();
      assertThat(lines.next()).isTrue();
      assertThat(lines.line().readAllBytes()).asString().isEqualTo("de");
      assertThat(lines.line().read()).isEqualTo(-1);
      assertThat(lines.next()).isFalse();
    }
  }

  private static InputStream inPortions(String text, int portion) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, Math.min(length, portion));
      }
    };
  }
}

package io.cairn.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.dataset.DataSet;

/** The digits as they come, and as they must not come. */
class DigitsDataTest {
  private static final String LINE = "16,".repeat(64) + "7";

  private static DigitsData parse(String text) throws IOException {
    return DigitsData.parse(new StringReader(text), "some.csv");
  }

  @Test
  void theResourceHasAllSamplesOfAllClasses() {
    DigitsData data = DigitsData.load();
    assertThat(data.size()).isEqualTo(1797);
    int[] perClass = new int[DigitsData.CLASSES];
    IntStream.range(0, data.size()).forEach(k -> perClass[data.label(k)]++);
    assertThat(perClass).containsExactly(178, 182, 177, 183, 181, 182, 181, 179, 174, 180);
  }

  @Test
  void imagesAreScaledAndClassesOneHot() throws IOException {
    String other = "8,".repeat(64) + "0";
    DataSet set = parse(LINE + "\n" + other + "\n").dataSet(new int[] {1, 0});
    assertThat(set.getFeatures().shape()).containsExactly(2, 1, 8, 8);
    assertThat(set.getFeatures().getDouble(0, 0, 3, 3)).isEqualTo(0.5);
    assertThat(set.getFeatures().getDouble(1, 0, 7, 7)).isEqualTo(1);
    assertThat(set.getLabels().argMax(1).toIntVector()).containsExactly(0, 7);
    assertThat(set.getLabels().sumNumber().intValue()).isEqualTo(2);
  }

  @Test
  void aLineTooShortIsRefused() {
    assertThatThrownBy(() -> parse(LINE + "\n1,2,3\n"))
        .isInstanceOf(IOException.class)
        .hasMessage("some.csv, line 2: 3 values instead of 65");
  }

  @Test
  void whatIsNoNumberIsRefused() {
    assertThatThrownBy(() -> parse(LINE.replaceFirst("16", "x")))
        .isInstanceOf(IOException.class)
        .hasMessage("some.csv, line 1, column 1: 'x' is not a whole number");
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    assertThatThrownBy(() -> parse(LINE.replaceFirst("16", "17")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("column 1: 17 is not between 0 and 16");
    assertThatThrownBy(() -> parse("16,".repeat(64) + "10"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("column 65: 10 is not between 0 and 9");
  }

  @Test
  void nothingIsRefused() {
    assertThatThrownBy(() -> parse(""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("empty");
  }
}

package io.cairn.lab.study.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.lab.study.failure.RecordedFailures;
import io.cairn.lab.study.failure.RecordedFailures.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureLogTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void readsFailuresInOrder() throws IOException {
    assertThat(read("seconds,level\n0.5,1\r\n\n 12 , 4 \n1e3,2").failures())
        .containsExactly(new Failure(0.5, 1), new Failure(12, 4), new Failure(1000, 2));
  }

  @Test
  void aHeadingIsOptionalAndALogMayBeEmpty() throws IOException {
    assertThat(read("3,2\n").failures()).containsExactly(new Failure(3, 2));
    RecordedFailures empty = read("");
    assertThat(empty.failures()).isEmpty();
    assertThat(empty.levels()).isEqualTo(1);
    assertThat(read("3,2\n4,1").levels()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7 | not of the form seconds,level: '7'",
        "7,1,1 | not of the form seconds,level: '7,1,1'",
        "x,1 | not a number and a whole number: 'x,1'",
        "7,1.5 | not a number and a whole number: '7,1.5'",
        "-7,1 | seconds must be finite and not negative: -7.0",
        "NaN,1 | seconds must be finite",
        "7,0 | level must be one of 1 to 64: 0",
        "4,1 | earlier than the failure before it: '4,1'",
        "seconds,level | not a number and a whole number",
      })
  void malformedRowsAreNamedByFileLineAndReason(String row, String reason) {
    assertThatIOException()
        .isThrownBy(() -> read("seconds,level\n5,1\n" + row + "\n"))
        .withMessageContaining("failures.csv, line 3: ")
        .withMessageContaining(reason);
  }

  private RecordedFailures read(String text) throws IOException {
    Path file = directory.resolve("failures.csv");
    Files.writeString(file, text);
    return FailureLog.read(file);
  }
}

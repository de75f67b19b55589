package io.cairn.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PaddedNumberTest {
  @ParameterizedTest
  @CsvSource({
    "0,3,000",
    "7,3,007",
    "999,3,999",
    "1000,3,1000",
    "5,1,5",
    "9223372036854775807,6,9223372036854775807"
  })
  void hasTheLeastNumberOfDigits(long number, int digits, String padded) {
    assertThat(PaddedNumber.of(number, digits)).isEqualTo(padded);
  }

  @ParameterizedTest
  @CsvSource({"0,0", "007,7", "999999999999999999,999999999999999999"})
  void digitsAreRead(String digits, long number) {
    assertThat(PaddedNumber.parse(digits)).hasValue(number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", "1 ", "0x1", "\u0661", "1000000000000000000"})
  void otherTextIsNoNumber(String text) {
    assertThat(PaddedNumber.parse(text)).isEmpty();
  }
}

package io.cairn.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WriterSettingsTest {
  private static WriterSettings of(String value) {
    return CairnConfig.of(Map.of("store.writers", value)).storeWriters();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "1, 1",
    "4294967296, 1",
    "4294967297, 2",
    "8589934592, 2",
    "8589934593, 3",
    "12884901889, 4",
    "9223372036854775807, 4"
  })
  void aLargeStateHasMoreWritersUnlessAskedOtherwise(long stateBytes, int writers) {
    WriterSettings chosen = CairnConfig.defaults().storeWriters();
    assertThat(chosen.forState(stateBytes, 8)).isEqualTo(writers);
    assertThat(chosen.forState(stateBytes, 2)).isEqualTo(Math.min(2, writers));
    assertThat(chosen.forState(stateBytes, 1)).isEqualTo(1);
    assertThat(of("1").forState(stateBytes)).isEqualTo(1);
  }

  @Test
  void aGivenNumberHoldsForEveryState() {
    assertThat(of("16").forState(0)).isEqualTo(16);
    assertThat(of("16").forState(Long.MAX_VALUE)).isEqualTo(16);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "17", "many", "4294967297", "AUTO"})
  void anotherNumberIsRefused(String value) {
    assertThatThrownBy(() -> of(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("setting store.writers is '" + value + "': give auto, or 1 to 16");
  }
}

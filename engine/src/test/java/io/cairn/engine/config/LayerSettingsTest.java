package io.cairn.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayerSettingsTest {
  private static LayerSettings layers(Map<String, String> values) {
    return LayerSettings.of(new SettingValues(values));
  }

  @Test
  void withTheLibraryOfHashesEightAreChosen() {
    assertThat(layers(Map.of())).isEqualTo(new LayerSettings(8, 8));
    assertThat(layers(Map.of("node.maxLayers", "0", "store.maxLayers", "auto")))
        .isEqualTo(new LayerSettings(0, 8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "256", "many", ""})
  void anotherValueIsRefusedByName(String value) {
    assertThatThrownBy(() -> layers(Map.of("node.maxLayers", value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("node.maxLayers")
        .hasMessageContaining("auto, or 0 to 255");
  }
}

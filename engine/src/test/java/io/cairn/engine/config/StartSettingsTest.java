package io.cairn.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartSettingsTest {
  private static Map<String, String> settings(String text) {
    Map<String, String> values = new HashMap<>();
    for (String each : text.split(";", -1)) {
      int equals = each.indexOf('=');
      values.put(each.substring(0, equals), each.substring(equals + 1));
    }
    return values;
  }

  @Test
  void readsWhatADriverNeedsBeforeAJoin() {
    assertThat(StartSettings.of(Map.of()))
        .isEqualTo(new StartSettings("cairn", false, Duration.ofMinutes(2), 0, true));
    assertThat(
            StartSettings.of(
                settings("job=j;store.required=start;store.patience=3s;standby=2;sharing=off")))
        .isEqualTo(new StartSettings("j", true, Duration.ofSeconds(3), 2, false));
  }

  /** As by the whole configuration, which only a join reads. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "node.evry=5",
        "job=a/b",
        "queueSize=0",
        "store.codec=zip",
        "keep=newest",
        "keep=",
        "closeTimeout= ",
        "node.within=soon",
        "region.loss=x",
        "node.every=20;store.every=30",
        "peer=partner;sharing=off",
        "staging=1;sharing=device",
        "coordinator=10.0.0.1:7177",
        "device.cacheSize=2m",
        "chunkSize=64m;device.cacheSize=4m",
        "chunkSize=4k;device.cacheSize=1024g"
      })
  void refusesWhatTheConfigurationRefuses(String text) {
    String message = null;
    try {
      var unused = CairnConfig.of(settings(text));
    } catch (IllegalArgumentException e) {
      message = e.getMessage();
    }
    assertThat(message).isNotNull();
    assertThatThrownBy(() -> StartSettings.of(settings(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}

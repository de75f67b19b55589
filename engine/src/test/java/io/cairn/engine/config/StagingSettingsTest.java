package io.cairn.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagingSettingsTest {
  private static final String SECRET = "correct horse battery";

  private static StagingSettings of(String... namesAndValues) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return CairnConfig.of(values).staging();
  }

  @Test
  void withoutSettingsEachProcessWritesItself() {
    assertThat(of().on()).isFalse();
    assertThat(of("staging", "0").on()).isFalse();
    assertThat(of("staging", "1").on()).isTrue();
  }

  @Test
  void severalServersAreReadInTheirOrder() {
    StagingSettings staging = of("staging", "b.org:7178, [::1]:7179,a.org:1", "secret", SECRET);

    assertThat(staging.on()).isTrue();
    assertThat(staging.servers())
        .isEqualTo(
            List.of(
                new HostPort("b.org", 7178), new HostPort("::1", 7179), new HostPort("a.org", 1)));
    assertThat(staging.secret()).contains(SECRET);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7178",
        "",
        "localhost",
        "localhost:0",
        "localhost:70000",
        "http://a:1",
        "a:1/b",
        "u@a:1",
        ":1",
        "a:1,",
        ",a:1",
        "a:1,,b:1",
        "a:1;b:1",
        "a:1,a:1"
      })
  void whatIsNoListOfServersIsRefused(String servers) {
    assertThatThrownBy(() -> of("staging", servers, "secret", SECRET))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("setting staging is '" + servers + "'")
        .hasMessageContaining("10.0.0.7:7178,10.0.0.8:7178");
  }

  @Test
  void aServerOnAnotherMachineNeedsASecret() {
    assertThat(of("staging", "127.0.0.1:7178,localhost:7179").servers()).hasSize(2);
    assertThatThrownBy(() -> of("staging", "127.0.0.1:7178,10.0.0.7:7178"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("secret");
  }

  @Test
  void aShortSecretIsRefusedAndNotShown() {
    assertThatThrownBy(() -> of("staging", "10.0.0.7:7178", "secret", "hunter2"))
        .hasMessageContaining("secret")
        .hasMessageContaining("16")
        .hasMessageNotContaining("hunter2");
    assertThat(of("staging", "10.0.0.7:7178", "secret", SECRET).toString())
        .contains("10.0.0.7")
        .doesNotContain(SECRET);
  }
}

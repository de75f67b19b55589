package io.cairn.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoordinatorSettingsTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:7177", "localhost:1", "[::1]:65535"})
  void thisMachineAloneNeedsNoSecret(String address) {
    assertThat(CairnConfig.of(Map.of("coordinator", address)).coordinator())
        .hasToString("Optional[" + address + "]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.7:7177", "trainer-0:7177", "0.0.0.0:7177", "127.evil.org:7177"})
  void otherMachinesNeedASecret(String address) {
    assertThatThrownBy(() -> CairnConfig.of(Map.of("coordinator", address)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7177",
        "localhost",
        "localhost:0",
        "localhost:70000",
        "http://a:1",
        "a:1/b",
        "u@a:1",
        ":1"
      })
  void aCoordinatorWithoutHostAndPortIsRefused(String address) {
    assertThatThrownBy(() -> CairnConfig.of(Map.of("coordinator", address)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("setting coordinator is '" + address + "'")
        .hasMessageContaining("127.0.0.1:7177");
  }

  /** Docker Compose gives such names, and the client of HTTP refuses them. */
  @Test
  void aNameThatNoUriTakesIsRefusedWithTheReason() {
    assertThatThrownBy(() -> CairnConfig.of(Map.of("coordinator", "my_job.local:7177")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("setting coordinator is 'my_job.local:7177'")
        .hasMessageContaining("a name without _");
  }

  @Test
  void noTextShowsTheSecret() {
    String secret = "correct horse battery";
    Map<String, String> values = Map.of("coordinator", "10.0.0.7:7177", "secret", secret);

    assertThat(CairnConfig.of(values).toString()).contains("10.0.0.7").doesNotContain(secret);
    assertThatThrownBy(
            () -> CairnConfig.of(Map.of("coordinator", "10.0.0.7:7177", "secret", "hunter2")))
        .hasMessageContaining("secret")
        .hasMessageContaining("16")
        .hasMessageNotContaining("hunter2");
  }
}

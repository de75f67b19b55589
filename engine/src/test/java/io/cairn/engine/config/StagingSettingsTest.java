package io.cairn.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StagingSettingsTest {
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
    assertThat(of().mayServe("a.org")).isFalse();
    assertThat(of("staging", "0").on()).isFalse();
  }

  @Test
  void aNumberIsOfNodesAtAnyHost() {
    StagingSettings staging = of("staging", "2");

    assertThat(staging.on()).isTrue();
    assertThat(staging.mostNodes()).isEqualTo(2);
    assertThat(staging.mayServe("a.org")).isTrue();
  }

  @Test
  void hostsAreTheOnlyOnes() {
    StagingSettings staging = of("staging", "B.org., [::1],10.0.0.7,my_job");

    assertThat(staging.on()).isTrue();
    assertThat(staging.hosts()).containsExactly("b.org", "0:0:0:0:0:0:0:1", "10.0.0.7", "my_job");
    assertThat(staging.mostNodes()).isGreaterThan(1000);
    for (String host : staging.hosts()) {
      assertThat(staging.mayServe(host)).as(host).isTrue();
    }
    assertThat(staging.mayServe("b.ORG")).isTrue();
    assertThat(staging.mayServe("[::1]")).as("as Spark names it").isTrue();
    assertThat(staging.mayServe("b.org.")).isTrue();
    assertThat(staging.mayServe("a.org")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1001", "", "a/b", "u@a", ",a", "a,", "a,,b", "a;b", "a,A", "-1", ":1", "off", "On", "a,2"
      })
  void whatIsNoListOfHostsIsRefused(String hosts) {
    assertThatThrownBy(() -> of("staging", hosts))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("setting staging is '" + hosts + "'")
        .hasMessageContaining("10.0.0.7,10.0.0.8");
  }

  /** Such lists named processes that only staged. */
  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.7:7178", "a,b.org:7178", "[::1]:7179"})
  void aHostWithAPortIsRefusedWithWhatTookThePlaceOfItsProcess(String servers) {
    assertThatThrownBy(() -> of("staging", servers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("setting staging is '" + servers + "'")
        .hasMessageContaining("hosts without ports, such as 10.0.0.7,10.0.0.8: executors there");
  }

  @Test
  void nodesMustBeServed() {
    assertThatThrownBy(() -> of("staging", "a.org", "sharing", "device"))
        .hasMessageContaining("setting staging is 'a.org'")
        .hasMessageContaining("sharing");
    assertThat(of("staging", "a.org", "sharing", "node").on()).isTrue();
  }
}

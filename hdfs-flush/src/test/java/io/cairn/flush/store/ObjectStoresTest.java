package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectStoresTest {
  @ParameterizedTest
  @ValueSource(strings = {"gs", "GS", "abfs", "abfss", "wasb", "wasbs"})
  void aStoreThatTheProbeCannotProveIsWarnedOf(String scheme) {
    URI store = URI.create(scheme + "://bucket/cairn");

    assertThat(ObjectStores.doubt(store).orElseThrow())
        .contains(store.toString(), "rename", "HDFS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hdfs://host/cairn", "viewfs://host/cairn", "/cairn"})
  void othersAreNot(String store) {
    assertThat(ObjectStores.doubt(URI.create(store))).isEmpty();
  }
}

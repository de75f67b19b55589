package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that count as manifests and marks, and names that resemble them. */
class StoreNamesTest {
  @ParameterizedTest
  @ValueSource(strings = {"MANIFEST", "MANIFEST-r00000", "MANIFEST-s00012", "MANIFEST-r2147483647"})
  void theManifestAndItsPartsCount(String name) {
    assertThat(StoreNames.isManifest(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "MANIFEST-",
        "MANIFEST-r",
        "MANIFEST-r0000",
        "MANIFEST-r12345678901",
        "MANIFEST-r0000x",
        "MANIFEST-r00000.tmp",
        "MANIFEST-x00000",
        "MANIFEST00000",
        "manifest",
        ".MANIFEST.1.tmp",
        "PEER-r00000"
      })
  void noOtherNameIsThatOfAManifest(String name) {
    assertThat(StoreNames.isManifest(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PEER-r00000", "PEER-r2147483647"})
  void marksOfCopiesCount(String name) {
    assertThat(StoreNames.isCopied(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PEER-r", "PEER-r0000", "PEER-s00000", "PEER-r00000x", "MANIFEST-r00000"})
  void noOtherNameIsThatOfAMark(String name) {
    assertThat(StoreNames.isCopied(name)).isFalse();
  }
}

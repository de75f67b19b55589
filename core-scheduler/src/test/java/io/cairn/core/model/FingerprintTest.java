package io.cairn.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTest {
  private static final Fingerprint WRITER =
      Fingerprint.NONE.with("label", "v1").with("run", "a").with("region.w", "double[9]");

  @Test
  void everyDifferenceIsNamedWithBothValues() {
    Fingerprint now = Fingerprint.NONE.with("label", "v2").with("run", "b").with("data", "x");

    assertThat(WRITER.differences(now).keySet()).containsExactly("data", "label", "region.w");
    assertThat(WRITER.differences(now).values())
        .containsExactly(
            "data is absent there and x here",
            "label is v1 there and v2 here",
            "region.w is double[9] there and absent here");
  }

  @Test
  void anotherRunOfTheSameProgramIsNoDifference() {
    Fingerprint now =
        Fingerprint.NONE.with("label", "v1").with("run", "b").with("region.w", "double[9]");

    assertThat(WRITER.differences(now)).isEmpty();
    assertThat(WRITER.sameRunAs(now)).isFalse();
    assertThat(WRITER.sameRunAs(WRITER)).isTrue();
    assertThat(Fingerprint.NONE.sameRunAs(Fingerprint.NONE)).isFalse();
  }

  @Test
  void anUnknownWriterDiffersFromNoProgram() {
    assertThat(Fingerprint.NONE.differences(WRITER)).isEmpty();
  }

  @Test
  void factsAboutTheCheckpointAreNoDifference() {
    Fingerprint scored = WRITER.with("checkpoint.score", "0.5").with("checkpoint.time", "x");

    assertThat(scored.differences(WRITER)).isEmpty();
    assertThat(WRITER.differences(scored)).isEmpty();
  }

  @Test
  void aNameIsGivenOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WRITER.with("label", "v1"))
        .withMessageContaining("label is there already");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " x", "x ", "two\nlines", "Gr\u00fc\u00dfe", "\t"})
  void valuesAreOneLineOfAscii(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fingerprint.NONE.with("label", value))
        .withMessageContaining("entry label");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", ".hidden", "a/b"})
  void namesHaveNoBlank(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fingerprint.NONE.with(name, "x"))
        .withMessageContaining("entry name");
  }

  @Test
  void entriesAreBounded() {
    Fingerprint full = Fingerprint.NONE;
    for (int k = 0; k < 128; k++) {
      full = full.with("entry" + k, "x");
    }
    Fingerprint last = full.with("checkpoint.score", "1");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> last.with("more", "x"))
        .withMessageContaining("at most 128");
  }

  @Test
  void aRegionThatIsStoredOtherwiseIsNoOtherProgram() {
    Fingerprint there = Fingerprint.NONE.with("label", "v1").with("codec.w", "zstd");
    Fingerprint here = Fingerprint.NONE.with("label", "v1").with("codec.v", "lz4");

    assertThat(there.differences(here)).isEmpty();
  }

  /** Where Persian is the language, Spark names applications so. */
  @Test
  void aTextOfAnotherProgramBecomesALegalValue() {
    assertThat(Fingerprint.value("app-20261127-0001")).isEqualTo("app-20261127-0001");
    assertThat(Fingerprint.value("app-\u06f2\u06f0-\u0660\u09e7")).isEqualTo("app-20-01");
    assertThat(Fingerprint.value("\u00e9t\u00e9")).isEqualTo("ue9tue9");
    for (String strange : List.of("", " ", "x ".repeat(80), "\ud800")) {
      String value = Fingerprint.value(strange);
      assertThat(new Fingerprint(new TreeMap<>(Map.of("run", value))).entries())
          .containsValue(value);
    }
  }
}

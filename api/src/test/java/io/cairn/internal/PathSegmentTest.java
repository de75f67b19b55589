package io.cairn.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.GroupId;
import io.cairn.Region;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathSegmentTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "7", "fold-3", "run_2024.10", "A..B", "x-", "e000001-i0000000000"})
  void takesOnePlainSegment(String name) {
    assertThat(PathSegment.require("group", name)).isSameAs(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        "..",
        ".hidden",
        "-rf",
        "_x",
        "a/b",
        "/etc",
        "../x",
        "a\\b",
        "a b",
        "a\n",
        "\na",
        "a\u0000",
        "a\tb",
        "a:b",
        "a*",
        "a?",
        "a%2F",
        "hdfs://x",
        "{a,b}",
        "~root",
        "$HOME",
        "été",
        "a\u202Eb",
        "\u0661",
        "\uFF21",
        "\uD83D\uDE00"
      })
  void rejectsNamesThatLeaveHideOrNeedEscaping(String name) {
    assertThatThrownBy(() -> PathSegment.require("job", name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("job name '" + name + "'")
        .hasMessageContaining("one path segment");
  }

  @Test
  void boundsTheLength() {
    assertThat(PathSegment.require("job", "a".repeat(128))).hasSize(128);
    assertThatThrownBy(() -> PathSegment.require("job", "a".repeat(129)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyNamedValueIsChecked() {
    assertThatThrownBy(() -> new GroupId("../job", "fold-0")).hasMessageContaining("job name");
    assertThatThrownBy(() -> new GroupId("job", "fold/0")).hasMessageContaining("group name");
    assertThatThrownBy(() -> Region.of("a/b", new int[0])).hasMessageContaining("region name");
  }
}

package io.cairn.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it changes properties of the process")
class OwnDirectoriesTest {
  @Test
  void theHomeIsThatOfTheSystemElseOfTheEnvironment() {
    assertThat(OwnDirectories.home("/home/a", "/home/b")).contains(Path.of("/home/a"));
    assertThat(OwnDirectories.home("?", "/home/b")).contains(Path.of("/home/b"));
    assertThat(OwnDirectories.home("", "/home/b")).contains(Path.of("/home/b"));
    assertThat(OwnDirectories.home("?", "relative")).isEmpty();
    assertThat(OwnDirectories.home("?", "")).isEmpty();
    assertThat(OwnDirectories.home("?", null)).isEmpty();
  }

  /** The user of a container often has no entry in its user database. */
  @Test
  void aUserWithoutAnEntryHasNoPlaceBelowTheWorkingDirectory() {
    String home = System.getProperty("user.home");
    String name = System.getProperty("user.name");
    System.setProperty("user.home", "?");
    System.setProperty("user.name", "?");
    try {
      if (System.getenv("HOME") == null) {
        assertThatThrownBy(() -> CairnConfig.of(Map.of()))
            .hasMessageContaining("store")
            .hasMessageContaining("HOME");
      } else {
        assertThat(CairnConfig.of(Map.of()).store()).startsWith(System.getenv("HOME"));
      }
      CairnConfig config = CairnConfig.of(Map.of("store", "/store"));
      assertThat(config.store()).isEqualTo("/store");
      assertThat(config.nodeDirectory().toString()).contains("cairn-uid-").doesNotContain("?");
      assertThat(OwnDirectories.defaults()).noneMatch(path -> path.toString().contains("?"));
    } finally {
      System.setProperty("user.home", home);
      System.setProperty("user.name", name);
    }
  }
}

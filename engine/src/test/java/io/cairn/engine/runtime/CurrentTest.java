package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The instance that a process finds with {@link Cairn#current()}. */
class CurrentTest {
  @TempDir Path root;

  @AfterEach
  void reset() {
    Cairn.openOnDemand(null);
  }

  @Test
  void theInstanceIsOpenedOnDemandAndOnce() throws Exception {
    Cairn.openOnDemand(() -> new Places(root).open());

    try (Cairn cairn = Cairn.current()) {
      assertThat(Cairn.current()).isSameAs(cairn);
    }
    try (Cairn next = Cairn.current()) {
      assertThat(next.config().job()).isEqualTo("test");
    }
  }

  @Test
  void anInstalledInstanceComesFirst() throws Exception {
    try (Cairn installed = new Places(root).open()) {
      installed.install();
      Cairn.openOnDemand(
          () -> {
            throw new IOException("not needed");
          });

      assertThat(Cairn.current()).isSameAs(installed);
    }
  }

  @Test
  void anInstanceOpenedBeforeTheSettingsWereKnownIsNotReturned() throws Exception {
    Cairn.openOnDemand(() -> new Places(Files.createDirectory(root.resolve("first"))).open());

    try (Cairn before = Cairn.current()) {
      Cairn.openOnDemand(() -> new Places(Files.createDirectory(root.resolve("second"))).open());
      try (Cairn after = Cairn.current()) {
        assertThat(after).isNotSameAs(before);
        assertThat(Cairn.current()).isSameAs(after);
      }
    }
  }

  @Test
  void aFailureToOpenHasItsReason() {
    Cairn.openOnDemand(
        () -> {
          throw new IOException("no such store");
        });

    assertThatThrownBy(Cairn::current)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no such store");
  }
}

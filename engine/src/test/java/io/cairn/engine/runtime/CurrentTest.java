package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
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
    CairnEngine.openOnDemand(null);
  }

  @Test
  void theInstanceIsOpenedOnDemandAndOnce() throws Exception {
    CairnEngine.openOnDemand(() -> new Places(root).open());

    try (Cairn cairn = Cairn.current()) {
      assertThat(Cairn.current()).isSameAs(cairn);
    }
    try (Cairn next = Cairn.current();
        Checkpointer checkpointer = next.join("next")) {
      assertThat(checkpointer.member().group().job()).isEqualTo("test");
    }
  }

  @Test
  void anInstalledInstanceComesFirst() throws Exception {
    try (CairnEngine installed = new Places(root).open()) {
      installed.install();
      CairnEngine.openOnDemand(
          () -> {
            throw new IOException("not needed");
          });

      assertThat(Cairn.current()).isSameAs(installed);
    }
  }

  @Test
  void anInstanceOpenedBeforeTheSettingsWereKnownIsNotReturned() throws Exception {
    CairnEngine.openOnDemand(() -> new Places(Files.createDirectory(root.resolve("first"))).open());

    try (Cairn before = Cairn.current()) {
      CairnEngine.openOnDemand(
          () -> new Places(Files.createDirectory(root.resolve("second"))).open());
      try (Cairn after = Cairn.current()) {
        assertThat(after).isNotSameAs(before);
        assertThat(Cairn.current()).isSameAs(after);
      }
    }
  }

  @Test
  void aFailureToOpenHasItsReason() {
    CairnEngine.openOnDemand(
        () -> {
          throw new IOException("no such store");
        });

    assertThatThrownBy(Cairn::current)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no such store");
  }
}

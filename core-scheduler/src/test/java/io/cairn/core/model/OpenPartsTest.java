package io.cairn.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parts that are opened one after the other, some of which cannot be closed. */
class OpenPartsTest {
  private final List<String> closed = new ArrayList<>();

  private Closeable part(String name) {
    return () -> closed.add(name);
  }

  private Closeable bad(String name) {
    return () -> {
      closed.add(name);
      throw new IOException(name);
    };
  }

  private void openThenFail(Closeable... parts) throws IOException {
    try (OpenParts open = new OpenParts()) {
      for (Closeable part : parts) {
        Closeable unused = open.add(part);
      }
      throw new IOException("the last part");
    }
  }

  @Test
  void aPartThatCannotBeOpenedClosesThoseBeforeItTheLastOneFirst() {
    assertThatThrownBy(() -> openThenFail(part("a"), part("b"), part("c")))
        .isInstanceOf(IOException.class)
        .hasMessage("the last part")
        .hasNoSuppressedExceptions();

    assertThat(closed).containsExactly("c", "b", "a");
  }

  @Test
  void eachIsClosedEvenIfAnotherFailsAndNoFailureIsLost() {
    assertThatThrownBy(() -> openThenFail(bad("a"), part("b"), bad("c")))
        .hasMessage("the last part")
        .satisfies(
            failure -> {
              assertThat(failure.getSuppressed()).hasSize(1);
              assertThat(failure.getSuppressed()[0]).hasMessage("c");
              assertThat(failure.getSuppressed()[0].getSuppressed()[0]).hasMessage("a");
            });

    assertThat(closed).containsExactly("c", "b", "a");
  }

  @Test
  void aWholeKeepsItsParts() throws IOException {
    try (OpenParts open = new OpenParts()) {
      Closeable part = open.add(part("a"));
      assertThat(open.keep(part)).isSameAs(part);
    }

    assertThat(closed).isEmpty();
  }

  @Test
  void aListIsClosedInItsOrder() {
    IllegalStateException defect = new IllegalStateException("b");
    AutoCloseable wrong =
        () -> {
          throw defect;
        };

    assertThatThrownBy(() -> OpenParts.closeAll(List.of(part("a"), wrong, bad("c"))))
        .isSameAs(defect)
        .satisfies(failure -> assertThat(failure.getSuppressed()[0]).hasMessage("c"));
    assertThat(closed).containsExactly("a", "c");
  }

  @Test
  void aPartThatIsNotOfTheFewIsRefusedAndClosed() throws IOException {
    try (OpenParts open = new OpenParts()) {
      for (int i = 0; i < OpenParts.MOST; i++) {
        Closeable unused = open.add(() -> {});
      }
      assertThatThrownBy(() -> open.add(part("late"))).hasMessageContaining("1024");
      assertThat(closed).containsExactly("late");
    }
  }
}

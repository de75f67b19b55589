package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A group was killed when one rank had written its first checkpoint to NODE, and the other not. */
@Timeout(60)
class UnsealedTest {
  @TempDir Path root;

  private Ranks ranks() throws IOException {
    return new Ranks(root, 2, "node.every", "1", "store.every", "1000");
  }

  private static Outcome train(int rank, Checkpointer checkpointer) throws IOException {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    assertThat(checkpointer.restore()).isEmpty();
    return toy.run(checkpointer, 0, 1).sealed(Level.NODE).join();
  }

  /** Leaves what a kill leaves: rank 0's copy at NODE, and the epoch at STORE. */
  private void killed(boolean sealed) throws Exception {
    try (Ranks ranks = ranks()) {
      assertThat(ranks.each(UnsealedTest::train)).containsOnly(new Outcome.Sealed(Level.NODE));
      ranks.awaitStore();
    }
    Path group = new Places(root).store().resolve("test/run");
    try (Stream<Path> entries = Files.list(group)) {
      for (Path checkpoint :
          entries.filter(path -> path.endsWith("e000001-i0000000000")).toList()) {
        delete(checkpoint);
      }
    }
    Path mark = group.resolve("epochs/any-sealed");
    assertThat(mark).exists();
    try (Stream<Path> marks = Files.list(group.resolve("epochs"))) {
      for (Path other : marks.filter(path -> path.toString().contains("-i")).toList()) {
        Files.delete(other);
      }
    }
    if (!sealed) {
      Files.delete(mark);
    }
    delete(new Places(root.resolve("machine-1")).node());
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    }
  }

  @Test
  void theGroupStartsAfresh() throws Exception {
    killed(false);
    try (Ranks ranks = ranks()) {
      assertThat(ranks.each(UnsealedTest::train)).containsOnly(new Outcome.Sealed(Level.NODE));
    }
  }

  @Test
  void aGroupThatHadSealedItDoesNot() throws Exception {
    killed(true);
    try (Ranks ranks = ranks()) {
      assertThatThrownBy(() -> ranks.each(UnsealedTest::train))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("no checkpoint is within reach of every rank")
          .hasMessageContaining("start afresh with resume=never");
    }
  }
}

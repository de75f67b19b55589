package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trials that ended in order do not fill the node. */
@Timeout(120)
class EndedTrialsTest {
  @TempDir Path root;

  private void train(CairnEngine cairn, String group) {
    try (Checkpointer checkpointer = cairn.join(group)) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 3);
      checkpointer.end(2);
    }
  }

  /** The one directory below NODE's. */
  private Path node() throws IOException {
    try (Stream<Path> stores = Files.list(new Places(root).node())) {
      return stores.findFirst().orElseThrow();
    }
  }

  private List<String> groups(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("test"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void onlyTheLastTrialKeepsCopiesAtNode() throws Exception {
    try (CairnEngine cairn = new Places(root).open()) {
      for (int trial = 0; trial < 8; trial++) {
        train(cairn, "trial-" + trial);
      }

      assertThat(groups(node())).containsExactly("trial-7");
      assertThat(groups(new Places(root).store())).hasSize(8);
    }
  }

  @Test
  void aTrialThatDidNotEndKeepsItsCopies() throws Exception {
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("running")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 3);
      train(cairn, "trial-1");
      train(cairn, "trial-2");

      assertThat(groups(node())).contains("running");
    }
  }
}

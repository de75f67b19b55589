package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups that begin anew on purpose, beside checkpoints of what has ended. */
@Timeout(60)
class StartAfreshTest {
  @TempDir Path root;

  private final Toy toy = new Toy();

  private Checkpointer join(CairnEngine cairn) {
    Checkpointer joined = cairn.join("worker");
    toy.protectBy(joined);
    return joined;
  }

  private void trainFive() throws IOException {
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = join(cairn)) {
      toy.run(checkpointer, 0, 5);
    }
  }

  @Test
  void aFreshStartIsAllowedWhereResumeIsRequired() throws IOException {
    trainFive();
    try (CairnEngine cairn = new Places(root).open("resume", "require");
        Checkpointer checkpointer = join(cairn)) {
      checkpointer.startAfresh();
      toy.startAfresh(7);
      toy.run(checkpointer, 0, 2);
    }
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = join(cairn)) {
      assertThat(checkpointer.restore()).isPresent();
      Toy expected = new Toy();
      expected.startAfresh(7);
      expected.step(0);
      expected.step(1);
      assertThat(toy).isEqualTo(expected);
    }
  }

  @Test
  void theOldCheckpointsStayUntilThereAreNewOnes() throws IOException {
    trainFive();
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = join(cairn)) {
      checkpointer.startAfresh();
    }
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = join(cairn)) {
      assertThat(checkpointer.restore()).isPresent();
      assertThat(toy).isEqualTo(Toy.undisturbed(5));
    }
  }

  @Test
  void itComesFirst() throws IOException {
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = join(cairn)) {
      toy.run(checkpointer, 0, 1);
      assertThatThrownBy(checkpointer::startAfresh)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("captured already");
    }
  }
}

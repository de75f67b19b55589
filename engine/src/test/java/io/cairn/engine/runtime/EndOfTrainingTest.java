package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that go further than their periods ask: the last one, and those that are late. */
@Timeout(60)
class EndOfTrainingTest {
  private static final String[] SELDOM = {"node.every", "100", "store.every", "1000"};

  @TempDir Path root;

  private static RestoreReport restored(CairnEngine cairn, Toy toy) {
    try (Checkpointer checkpointer = cairn.join("run")) {
      toy.protectBy(checkpointer);
      return checkpointer.restore().orElseThrow();
    }
  }

  @Test
  void theLastIterationIsAtStoreWhenClosingReturns() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open(SELDOM)) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(checkpointer);
        toy.run(checkpointer, 0, 8);
      }

      assertThat(cairn.counters().count(Level.STORE, Outcome.Sealed.class)).isEqualTo(2);
      assertThat(cairn.counters().count(Level.NODE, Outcome.Sealed.class)).isEqualTo(2);
    }
    assertThat(places.store().resolve("test/run/epochs/000001-i0000000007.sealed")).exists();
    Files.move(places.node(), root.resolve("lost"));

    try (CairnEngine cairn = places.open(SELDOM)) {
      Toy toy = new Toy();

      assertThat(restored(cairn, toy).id().label()).isEqualTo("e1-i7");
      assertThat(toy).isEqualTo(Toy.undisturbed(8));
    }
  }

  /** Nothing is computed and captured, so nothing is sent: the last checkpoint is there. */
  @Test
  void aSecondRunThatTrainsNothingKeepsTheEndOfTheFirst() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open(SELDOM);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 8);
    }
    for (int again = 0; again < 2; again++) {
      try (CairnEngine cairn = places.open(SELDOM)) {
        assertThat(restored(cairn, new Toy()).id().label()).isEqualTo("e1-i7");
        assertThat(cairn.counters().count(Level.STORE, Outcome.Sealed.class)).isZero();
      }
    }
  }

  /** Its task was cancelled, so another attempt computes these iterations again. */
  @Test
  void aCancelledRankKeepsNoEnd() throws Exception {
    Places places = new Places(root);
    AtomicBoolean killed = new AtomicBoolean();
    try (CairnEngine cairn = places.open(SELDOM)) {
      cairn.interruption(
          () -> {
            if (killed.get()) {
              throw new CancellationException("the task was killed");
            }
          });
      try (Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(checkpointer);
        toy.run(checkpointer, 0, 1).sealed(Level.STORE).join();
        toy.run(checkpointer, 1, 8);
        killed.set(true);
      }
    }
    assertThat(places.store().resolve("test/run/epochs")).isDirectoryNotContaining("glob:**.end");
  }

  @Test
  void theWholeGroupKeepsItsLastIteration() throws Exception {
    try (Ranks ranks = new Ranks(root, 3, SELDOM)) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            return toy.run(checkpointer, 0, 8);
          });

      for (int rank = 0; rank < 3; rank++) {
        assertThat(ranks.cairn(rank).counters().count(Level.STORE, Outcome.Sealed.class))
            .isEqualTo(2);
      }
    }
    assertThat(new Places(root).store().resolve("test/run/e000001-i0000000007/MANIFEST")).exists();
  }

  /** The periods alone would leave both levels with the first iteration. */
  @Test
  void checkpointsKeepTheirBoundsInTimeWhileTrainingRuns() throws Exception {
    String[] bounded = {
      "node.every",
      "1000000",
      "store.every",
      "1000000",
      "node.within",
      "100ms",
      "store.within",
      "300ms"
    };
    try (CairnEngine cairn = new Places(root).open(bounded);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      for (long iteration = 0; !sealedOften(cairn); iteration++) {
        LockSupport.parkNanos(2_000_000);
        toy.run(checkpointer, iteration, iteration + 1);
      }
    }
  }

  private static boolean sealedOften(CairnEngine cairn) {
    return List.of(Level.NODE, Level.STORE).stream()
        .allMatch(level -> cairn.counters().count(level, Outcome.Sealed.class) >= 4);
  }
}

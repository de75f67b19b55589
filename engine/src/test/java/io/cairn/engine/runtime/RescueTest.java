package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.cache.memory.Until;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that end after a notice. */
@Timeout(30)
class RescueTest {
  private static final String[] SELDOM = {"node.every", "100", "store.every", "1000"};
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @TempDir Path root;

  private static void awaitStore(CairnEngine cairn, long sealed) {
    Until.holds(() -> cairn.counters().count(Level.STORE, Outcome.Sealed.class) >= sealed);
  }

  /** Nothing but the first checkpoint was due below DEVICE, and the process does not close. */
  @Test
  void theNewestCheckpointOutlivesItsProcess() throws Exception {
    Places places = new Places(root);
    CairnEngine ending = places.open(SELDOM);
    Checkpointer checkpointer = ending.join("run");
    Toy toy = Ranks.toy(0);
    toy.protectBy(checkpointer);
    toy.run(checkpointer, 0, 20).sealed(Level.DEVICE).join();
    awaitStore(ending, 1);
    assertThat(ending.rescue(PATIENCE)).isTrue();
    awaitStore(ending, 2);
    assertThat(ending.counters().count(Level.NODE, Outcome.Sealed.class)).isEqualTo(2);
    try (CairnEngine next = places.open(SELDOM);
        Checkpointer again = next.join("run")) {
      Toy restored = new Toy();
      restored.protectBy(again);
      RestoreReport report = again.restore().orElseThrow();
      assertThat(report.id().iteration()).isEqualTo(19);
      assertThat(report.level()).isEqualTo(Level.NODE);
      assertThat(restored).isEqualTo(Ranks.undisturbed(0, 20));
    }
    ending.close();
  }

  @Test
  void aProcessWithoutCheckpointsIsAnsweredToo() throws Exception {
    try (CairnEngine cairn = new Places(root).open(SELDOM)) {
      assertThat(cairn.rescue(PATIENCE)).isTrue();
      try (Checkpointer checkpointer = cairn.join("run")) {
        assertThat(checkpointer.epoch()).isEqualTo(1);
        assertThat(cairn.rescue(PATIENCE)).isTrue();
      }
    }
  }

  @Test
  void aCheckpointDueAtStoreIsNotSentTwice() throws Exception {
    CairnEngine cairn = new Places(root).open(SELDOM);
    try (cairn;
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = Ranks.toy(0);
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 1).sealed(Level.STORE).join();
      assertThat(cairn.rescue(PATIENCE)).isTrue();
    }
    for (Level level : List.of(Level.NODE, Level.STORE)) {
      assertThat(cairn.counters().count(level, Outcome.Sealed.class)).isEqualTo(1);
      assertThat(cairn.counters().count(level, Outcome.Failed.class)).isZero();
    }
  }

  /** One rank's process ends; all have to send the same checkpoint on for it to be of use. */
  @Test
  void theWholeGroupRescuesWhatOneRankWouldLose() throws Exception {
    CountDownLatch trained = new CountDownLatch(2);
    CountDownLatch saved = new CountDownLatch(1);
    try (Ranks ranks = new Ranks(root, 2, SELDOM)) {
      List<Future<Boolean>> running = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        running.add(ranks.start(rank, (r, checkpointer) -> train(r, checkpointer, trained, saved)));
      }
      trained.await();
      assertThat(ranks.cairn(1).rescue(PATIENCE)).isTrue();
      awaitStore(ranks.cairn(0), 2);
      saved.countDown();
      for (Future<Boolean> rank : running) {
        assertThat(Ranks.result(rank)).isTrue();
      }
    }
    try (Ranks ranks = new Ranks(root, 2, SELDOM)) {
      assertThat(
              ranks.each(
                  (rank, checkpointer) -> {
                    Toy toy = new Toy();
                    toy.protectBy(checkpointer);
                    RestoreReport report = checkpointer.restore().orElseThrow();
                    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, 8));
                    return report.id().label();
                  }))
          .containsOnly("e1-i7");
    }
  }

  private static boolean train(
      int rank, Checkpointer checkpointer, CountDownLatch trained, CountDownLatch saved)
      throws InterruptedException {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    toy.run(checkpointer, 0, 8).sealed(Level.DEVICE).join();
    trained.countDown();
    saved.await();
    return true;
  }
}

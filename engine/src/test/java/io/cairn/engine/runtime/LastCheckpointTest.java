package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A training that ends by {@code end} keeps its last iteration, whatever is due or full. */
@Timeout(60)
class LastCheckpointTest {
  private static final String[] SELDOM = {
    "device.every", "7", "node.every", "14", "store.every", "700"
  };

  private static final String[] EAGER = {"node.every", "1", "store.every", "1", "queueSize", "24k"};

  private static final String[] ONE_AT_DEVICE = {
    "device.cacheSize", "24k", "device.every", "1", "node.every", "1000", "store.every", "1000"
  };

  @TempDir Path root;

  private static Toy joined(Checkpointer checkpointer) {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    return toy;
  }

  /** A loop as users write it; returns the iterations that it computed. */
  private long train(Places places, long iterations) throws IOException {
    try (CairnEngine cairn = places.open(SELDOM);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      Optional<RestoreReport> restored = checkpointer.restore();
      long from = restored.map(report -> report.id().iteration() + 1).orElse(0L);
      for (long i = from; i < iterations; i++) {
        toy.step(i);
        checkpointer.checkpoint(i).captured().join();
      }
      checkpointer.end(iterations - 1).captured().join();
      assertThat(toy).isEqualTo(Toy.undisturbed(iterations));
      return iterations - from;
    }
  }

  @Test
  void anEndedTrainingRunAgainComputesNothing() throws Exception {
    Places places = new Places(root);

    assertThat(train(places, 100)).isEqualTo(100);
    assertThat(train(places, 100)).isZero();
    assertThat(places.store().resolve("test/run/epochs/000001-i0000000099.end")).exists();
    assertThat(places.store().resolve("test/run/epochs/000002-i0000000099.end")).exists();
  }

  @Test
  void anEndThatTheStoreMissedIsSentThereWhenTheTrainingEndsAgain() throws Exception {
    Places places = new Places(root);
    train(places, 100);
    deleteCheckpoints(places.store().resolve("test/run"));

    assertThat(train(places, 100)).isZero();
    deleteTree(places.node());

    assertThat(train(places, 100)).isZero();
  }

  @Test
  void aGroupThatResumesAtItsEndMarksItAgain() throws Exception {
    for (int life = 1; life <= 2; life++) {
      try (Ranks ranks = new Ranks(root, 2, SELDOM)) {
        ranks.each(
            (rank, checkpointer) -> {
              Toy toy = Ranks.toy(rank);
              toy.protectBy(checkpointer);
              if (checkpointer.restore().isEmpty()) {
                toy.run(checkpointer, 0, 10);
              }
              return checkpointer.end(9).captured().get();
            });
      }
      assertThat(new Places(root).store().resolve("test/run/epochs"))
          .isDirectoryContaining("glob:**/00000" + life + "-i0000000009.end");
    }
  }

  @Test
  void aTrainingThatResumesAtItsEndAndBreaksOffHasNotEnded() throws Exception {
    Places places = new Places(root);
    train(places, 100);
    try (CairnEngine cairn = places.open(SELDOM);
        Checkpointer checkpointer = cairn.join("run")) {
      joined(checkpointer);
      checkpointer.restore();
    }

    assertThat(places.store().resolve("test/run/epochs"))
        .isDirectoryNotContaining("glob:**/000002-*.end");
  }

  private static void deleteCheckpoints(Path group) throws IOException {
    try (Stream<Path> children = Files.list(group)) {
      for (Path child : children.filter(path -> path.toString().contains("-i")).toList()) {
        deleteTree(child);
      }
    }
  }

  private static void deleteTree(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Such as by an exception, with the checkpointer in a try statement. */
  @Test
  void aTrainingThatBreaksOffIsKeptAndNotMarkedAsEnded() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open(SELDOM);
        Checkpointer checkpointer = cairn.join("run")) {
      joined(checkpointer).run(checkpointer, 0, 8);
    }

    assertThat(places.store().resolve("test/run/e000001-i0000000007/MANIFEST")).exists();
    assertThat(places.store().resolve("test/run/epochs")).isDirectoryNotContaining("glob:**.end");
  }

  @Test
  void aTrainingThatContinuesAfterAnEndAndBreaksOffHasNotEnded() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open(SELDOM);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      toy.run(checkpointer, 0, 7);
      checkpointer.end(6);
      toy.run(checkpointer, 7, 8);
    }

    assertThat(places.store().resolve("test/run/e000001-i0000000007/MANIFEST")).exists();
    assertThat(places.store().resolve("test/run/epochs")).isDirectoryNotContaining("glob:**.end");
  }

  /** One rank's checkpoint fails, and so the group's; the others have captured theirs. */
  @Test
  void aGroupCapturesItsLastIterationAgainIfARankCouldNot() throws Exception {
    try (Ranks ranks = new Ranks(root, 2, SELDOM)) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            boolean[] broken = {false};
            checkpointer.protect(
                Region.of(
                    "broken",
                    () -> {
                      if (broken[0]) {
                        throw new IllegalStateException("broken once");
                      }
                      return new byte[1];
                    },
                    bytes -> {}));
            toy.run(checkpointer, 0, 7);
            broken[0] = rank == 1;
            toy.step(7);
            try {
              checkpointer.checkpoint(7);
            } catch (IllegalStateException expected) {
              broken[0] = false;
            }

            return checkpointer.end(7).captured().get();
          });
    }
    assertThat(new Places(root).store().resolve("test/run/epochs/000001-i0000000007.end")).exists();
  }

  /**
   * Ranks that are apart, caches with room for two or three states, and each iteration due at
   * STORE: ranks skip and reject other iterations than their neighbours, the last one among them.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void aGroupInHasteKeepsTheIterationThatItEndsWith(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    long iterations = random.nextInt(2, 20);
    int size = random.nextInt(2, 4);
    String cacheSize = random.nextBoolean() ? "48k" : "72k";
    String[] settings = {
      "device.cacheSize", cacheSize, "node.every", "1", "store.every", "1", "queueSize", "48k"
    };
    List<SplittableRandom> pauses = Stream.generate(random::split).limit(size).toList();
    try (Ranks ranks = new Ranks(root, size, settings)) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            for (long i = 0; i < iterations; i++) {
              LockSupport.parkNanos(pauses.get(rank).nextLong(2_000_000));
              checkpointer.awaitCaptured();
              toy.step(i);
              checkpointer.checkpoint(i);
            }
            return checkpointer.end(iterations - 1);
          });
    }
    Path ends = new Places(root).store().resolve("test/run/epochs");
    assertThat(ends.resolve(String.format(Locale.ROOT, "000001-i%010d.end", iterations - 1)))
        .as("seed %d: %d ranks, %d iterations, %s", seed, size, iterations, cacheSize)
        .exists();
  }

  private static LongStream seeds() {
    return LongStream.range(0, 12);
  }

  @Test
  void theLastIterationGoesToEveryLevelAtOnce() throws Exception {
    try (CairnEngine cairn = new Places(root).open(SELDOM);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      toy.run(checkpointer, 0, 5);
      toy.step(5);

      CheckpointTicket last = checkpointer.end(5);

      for (Level level : List.of(Level.DEVICE, Level.NODE, Level.STORE)) {
        assertThat(last.sealed(level).get()).isEqualTo(new Outcome.Sealed(level));
      }
    }
  }

  @Test
  void aCapturedIterationThatEndsKeepsItsTicket() throws Exception {
    try (CairnEngine cairn = new Places(root).open(SELDOM);
        Checkpointer checkpointer = cairn.join("run")) {
      CheckpointTicket due = joined(checkpointer).run(checkpointer, 0, 8);

      assertThat(checkpointer.end(7)).isSameAs(due);
      assertThatThrownBy(() -> checkpointer.end(6)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> checkpointer.checkpoint(7))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aTrainingMayContinueAfterAnEnd() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open(SELDOM);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      for (long i = 0; i < 30; i++) {
        toy.step(i);
        CheckpointTicket ticket = i % 10 == 9 ? checkpointer.end(i) : checkpointer.checkpoint(i);
        ticket.captured().join();
      }
    }

    assertThat(train(places, 30)).isZero();
  }

  @Test
  void allRanksOfAGroupKeepTheIterationThatTheyEndWith() throws Exception {
    try (Ranks ranks = new Ranks(root, 3, SELDOM)) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            toy.run(checkpointer, 0, 10);
            return checkpointer.end(9).captured().get();
          });
    }
    assertThat(new Places(root).store().resolve("test/run/epochs/000001-i0000000009.end")).exists();
  }

  @Test
  void noFullQueueRejectsTheLastCheckpoint() throws Exception {
    Places places = new Places(root);
    GatedStore store = new GatedStore(CheckpointStores.open(places.store().toString()));
    CountDownLatch open = new CountDownLatch(1);
    try (CairnEngine cairn = CairnEngine.open(places.config(EAGER), store)) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = joined(checkpointer);
        rejectedAtStore(toy, checkpointer, store, open);
        toy.step(2);

        assertThat(checkpointer.end(2).captured().get()).isInstanceOf(Outcome.Captured.class);
        open.countDown();
      }
      assertThat(places.store().resolve("test/run/e000001-i0000000002/MANIFEST")).exists();
    }
  }

  /** As a loop does that captures each iteration, and then ends with the last one. */
  @Test
  void aLastCheckpointThatAFullQueueRejectedIsSentAgain() throws Exception {
    Places places = new Places(root);
    GatedStore store = new GatedStore(CheckpointStores.open(places.store().toString()));
    CountDownLatch open = new CountDownLatch(1);
    try (CairnEngine cairn = CairnEngine.open(places.config(EAGER), store)) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        CheckpointTicket last = rejectedAtStore(joined(checkpointer), checkpointer, store, open);

        assertThat(checkpointer.end(1).id()).isEqualTo(last.id());
        open.countDown();
      }
      assertThat(places.store().resolve("test/run/e000001-i0000000001/MANIFEST")).exists();
    }
  }

  /** Iteration 1, due at STORE, which is busy with iteration 0 and has room for no other. */
  private static CheckpointTicket rejectedAtStore(
      Toy toy, Checkpointer checkpointer, GatedStore store, CountDownLatch open) throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    checkpointer.restore();
    GatedStore.Gate waits =
        (operation, path) -> {
          busy.countDown();
          await(open);
        };
    store.gate(waits.forWrites());
    toy.run(checkpointer, 0, 1);
    busy.await();
    CheckpointTicket rejected = toy.run(checkpointer, 1, 2);
    assertThat(rejected.sealed(Level.STORE).get()).isInstanceOf(Outcome.Skipped.class);
    return rejected;
  }

  /** Another rank of the process captures into a cache with room for one checkpoint. */
  @Test
  void aLastCheckpointIsNotEvictedBeforeTheRankHasClosed() throws Exception {
    Places places = new Places(root);
    try (CairnEngine cairn = places.open(ONE_AT_DEVICE);
        Checkpointer other = cairn.join("other")) {
      Toy neighbour = joined(other);
      try (Checkpointer checkpointer = cairn.join("run")) {
        joined(checkpointer).run(checkpointer, 1, 8);
        checkpointer.end(7);

        CheckpointTicket missed = neighbour.run(other, 1, 2);

        assertThat(missed.captured().get()).isInstanceOf(Outcome.Skipped.class);
      }
      CheckpointTicket later = neighbour.run(other, 2, 3);
      assertThat(later.captured().get()).isInstanceOf(Outcome.Captured.class);
    }
    assertThat(places.store().resolve("test/run/e000001-i0000000007/MANIFEST")).exists();
  }

  @Test
  void aTrainingThatContinuesEvictsWhatItEndedWith() throws Exception {
    try (CairnEngine cairn = new Places(root).open(ONE_AT_DEVICE);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      toy.run(checkpointer, 1, 8);
      checkpointer.end(7);

      CheckpointTicket next = toy.run(checkpointer, 8, 9);

      assertThat(next.captured().get()).isInstanceOf(Outcome.Captured.class);
    }
  }

  /** The store hangs, and the training runs on. */
  @Test
  void aTrainingThatContinuesDoesNotWaitForAnEarlierEnd() throws Exception {
    Places places = new Places(root);
    GatedStore store = new GatedStore(CheckpointStores.open(places.store().toString()));
    CountDownLatch open = new CountDownLatch(1);
    try (CairnEngine cairn = CairnEngine.open(places.config("closeTimeout", "1h"), store);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = joined(checkpointer);
      checkpointer.restore();
      GatedStore.Gate hangs = (operation, path) -> await(open);
      store.gate(hangs.forWrites());
      toy.step(0);
      CheckpointTicket first = checkpointer.end(0);
      toy.step(1);

      CheckpointTicket second = checkpointer.end(1);

      assertThat(second.captured().get()).isInstanceOf(Outcome.Captured.class);
      assertThat(first.sealed(Level.STORE)).isNotDone();
      open.countDown();
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }
}

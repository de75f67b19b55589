package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CairnTest {
  @TempDir Path root;

  private Places places() {
    return new Places(root);
  }

  /** Runs a job from its newest checkpoint to {@code to}; what it was restored from. */
  private RestoreReport resumeTo(Toy toy, long to, String... settings) throws IOException {
    try (CairnEngine cairn = places().open(settings);
        Checkpointer checkpointer = cairn.join("run")) {
      toy.protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();
      toy.run(checkpointer, report.id().iteration() + 1, to);
      return report;
    }
  }

  private void runTo(long to, String... settings) throws IOException {
    try (CairnEngine cairn = places().open(settings);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore()).isEmpty();
      toy.run(checkpointer, 0, to);
    }
  }

  @Test
  void sealsAtEachDueLevelAndResumesFromTheLastIteration() throws Exception {
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThat(checkpointer.restore()).isEmpty();
      CheckpointTicket fourth = toy.run(checkpointer, 0, 5);
      assertThat(fourth.sealed(Level.DEVICE).get()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
      assertThat(fourth.sealed(Level.NODE).get()).isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(fourth.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
      CheckpointTicket fifth = toy.run(checkpointer, 5, 6);
      assertThat(fifth.sealed(Level.NODE).get()).isEqualTo(new Outcome.NotDue(Level.NODE));
      CheckpointTicket sixth = toy.run(checkpointer, 6, 8);
      assertThat(sixth.sealed(Level.DEVICE).get()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
    }
    Toy resumed = new Toy();
    RestoreReport report = resumeTo(resumed, 12);
    assertThat(report.level()).isEqualTo(Level.NODE);
    assertThat(report.id().label()).isEqualTo("e1-i7");
    assertThat(resumed).isEqualTo(Toy.undisturbed(12));
  }

  @Test
  void resumesFromStoreWhenTheNodeIsLost() throws Exception {
    runTo(8);
    erase(places().node());
    Toy resumed = new Toy();
    RestoreReport report = resumeTo(resumed, 12);
    assertThat(report.level()).isEqualTo(Level.STORE);
    assertThat(report.id().label()).isEqualTo("e1-i7");
    assertThat(resumed).isEqualTo(Toy.undisturbed(12));
  }

  @Test
  void rollsBackFromDeviceWithinAProcessAndTakesANewEpoch() throws Exception {
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 6);
      long before = checkpointer.epoch();
      toy.weights[17] = Float.NaN;
      RestoreReport report = checkpointer.restoreBefore(5).orElseThrow();
      assertThat(report.level()).isEqualTo(Level.DEVICE);
      assertThat(report.id().iteration()).isEqualTo(4);
      assertThat(checkpointer.epoch()).isGreaterThan(before);
      assertThat(toy).isEqualTo(Toy.undisturbed(5));
      toy.run(checkpointer, 5, 9);
      assertThat(toy).isEqualTo(Toy.undisturbed(9));
    }
  }

  @Test
  void badChunksAtNodeAreReadFromStoreAndReported() throws Exception {
    runTo(5);
    damage(
        places().nodeOfStore().resolve("test/run/e000001-i0000000004/writer-r00000.chunks"), 9000);
    Toy resumed = new Toy();
    RestoreReport report = resumeTo(resumed, 8);
    assertThat(report.id().label()).isEqualTo("e1-i4");
    assertThat(report.level()).isEqualTo(Level.STORE);
    assertThat(report.attempts())
        .anySatisfy(
            attempt -> {
              assertThat(attempt.level()).isEqualTo(Level.NODE);
              assertThat(attempt.refusal()).contains("weights");
            });
    assertThat(resumed).isEqualTo(Toy.undisturbed(8));
  }

  @Test
  void aCheckpointBadEverywhereGivesWayToTheOneBefore() throws Exception {
    runTo(5);
    damage(
        places().nodeOfStore().resolve("test/run/e000001-i0000000004/writer-r00000.chunks"), 9000);
    damage(places().store().resolve("test/run/e000001-i0000000004/writer-r00000.chunks"), 9000);
    Toy resumed = new Toy();
    RestoreReport report = resumeTo(resumed, 8);
    assertThat(report.id().label()).isEqualTo("e1-i2");
    assertThat(resumed).isEqualTo(Toy.undisturbed(8));
  }

  @Test
  void refusesARestoreWhenEverythingIsBadAndLeavesTheMemoryAlone() throws Exception {
    runTo(1);
    damage(
        places().nodeOfStore().resolve("test/run/e000001-i0000000000/writer-r00000.chunks"), 9000);
    damage(places().store().resolve("test/run/e000001-i0000000000/writer-r00000.chunks"), 9000);
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThatThrownBy(checkpointer::restore)
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("e1-i0")
          .hasMessageContaining("weights");
      assertThat(toy).isEqualTo(new Toy());
    }
  }

  @Test
  void rejectsAnotherShapeNamingBoth() throws Exception {
    runTo(5);
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      float[] other = new float[4000];
      checkpointer.protect(Region.of("weights", other));
      checkpointer.protect(Region.of("counter", () -> new byte[8], bytes -> {}));
      assertThatThrownBy(checkpointer::restore)
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("weights")
          .hasMessageContaining("20000")
          .hasMessageContaining("16000");
    }
  }

  @Test
  void rejectsAnotherNumberOfRanksNamingBoth() throws Exception {
    runTo(5);
    try (CairnEngine cairn = places().open()) {
      List<Thread> ranks =
          Stream.of(0, 1)
              .map(
                  rank ->
                      new Thread(
                          () -> {
                            try (Checkpointer checkpointer = cairn.join("run", rank, 2)) {
                              new Toy().protectBy(checkpointer);
                              assertThatThrownBy(checkpointer::restore)
                                  .isInstanceOf(RestoreException.class)
                                  .hasMessageContaining("1 ranks")
                                  .hasMessageContaining("has 2");
                              refused.add(rank);
                            }
                          }))
              .toList();
      ranks.forEach(Thread::start);
      for (Thread thread : ranks) {
        thread.join();
      }
    }
    assertThat(refused).containsExactlyInAnyOrder(0, 1);
  }

  private final List<Integer> refused = new java.util.concurrent.CopyOnWriteArrayList<>();

  @Test
  void rejectsMistakesOfTheCallerByName() throws Exception {
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      assertThatThrownBy(() -> toy.protectBy(checkpointer)).hasMessageContaining("weights");
      assertThatThrownBy(() -> cairn.join("../other")).hasMessageContaining("'../other'");
      toy.run(checkpointer, 0, 3);
      assertThatThrownBy(() -> checkpointer.checkpoint(2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("iteration 2 after 2");
    }
  }

  @Test
  void skipsWithAReasonForWantOfRoom() throws Exception {
    try (CairnEngine cairn = places().open("device.cacheSize", "12k");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      CheckpointTicket ticket = toy.run(checkpointer, 0, 1);
      assertThat(ticket.captured().get()).isInstanceOf(Outcome.Skipped.class);
      assertThat(ticket.sealed(Level.STORE).get().toString())
          .contains("6 chunks")
          .contains("holds 3 chunks")
          .contains("set device.cacheSize to 1m or more");
      assertThat(cairn.counters().count(Level.STORE, Outcome.Skipped.class)).isEqualTo(1);
    }
  }

  @Test
  void anIterationThatHasNoNameIsRefusedAndLaterOnesAreNot() throws Exception {
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 1);

      for (long iteration : new long[] {Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
        assertThatThrownBy(() -> checkpointer.checkpoint(iteration))
            .hasMessageContaining("iteration " + iteration + ": give 0 to");
      }

      assertThat(toy.run(checkpointer, 1, 3).sealed(Level.NODE).get())
          .isEqualTo(new Outcome.Sealed(Level.NODE));
    }
  }

  /** A skip of every iteration for ever would be no protection, and easily overlooked. */
  @Test
  void aStateThatNeverFitsIsRefusedAtTheStart() throws Exception {
    try (CairnEngine cairn = places().open("device.cacheSize", "12k");
        Checkpointer checkpointer = cairn.join("run")) {
      new Toy().protectBy(checkpointer);

      assertThatThrownBy(checkpointer::restore)
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("test/run")
          .hasMessageContaining("device.cacheSize to 1m or more");
    }
  }

  @Test
  void ofTwoLiveAttemptsTheEarlierIsFenced() throws Exception {
    try (CairnEngine first = places().open();
        CairnEngine second =
            CairnEngine.open(new Places(root).config("node.dir", root + "/node2"))) {
      Checkpointer earlier = first.join("run");
      Toy zombie = new Toy();
      zombie.protectBy(earlier);
      zombie.run(earlier, 0, 5).sealed(Level.STORE).get();
      Toy toy = new Toy();
      try (Checkpointer later = second.join("run")) {
        toy.protectBy(later);
        assertThat(later.restore().orElseThrow().id().label()).isEqualTo("e1-i4");
        CheckpointTicket late = zombie.run(earlier, 5, 9);
        assertThat(late.sealed(Level.STORE).get()).isInstanceOf(Outcome.Fenced.class);
        assertThat(late.sealed(Level.STORE).get().toString())
            .contains("epoch 2")
            .contains("process " + ProcessHandle.current().pid());
        assertThat(zombie.run(earlier, 9, 10).captured().get()).isInstanceOf(Outcome.Fenced.class);
        toy.run(later, 5, 9);
      }
      earlier.close();
    }
    Toy resumed = new Toy();
    assertThat(resumeTo(resumed, 12, "node.dir", root + "/node2").id().epoch()).isEqualTo(2);
    assertThat(resumed).isEqualTo(Toy.undisturbed(12));
  }

  @Test
  void aNodeDirectoryThatVanishesCostsNoStoreCheckpoint() throws Exception {
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      toy.run(checkpointer, 0, 1).sealed(Level.STORE).get();
      erase(places().node());
      Files.writeString(places().node(), "in the way");
      CheckpointTicket ticket = toy.run(checkpointer, 1, 5);
      assertThat(ticket.sealed(Level.NODE).get()).isInstanceOf(Outcome.Failed.class);
      assertThat(ticket.sealed(Level.NODE).get().toString()).contains(places().node().toString());
      assertThat(ticket.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
      Files.delete(places().node());
      assertThat(toy.run(checkpointer, 5, 7).sealed(Level.NODE).get())
          .isEqualTo(new Outcome.Sealed(Level.NODE));
    }
    Toy resumed = new Toy();
    resumeTo(resumed, 12);
    assertThat(resumed).isEqualTo(Toy.undisturbed(12));
  }

  @Test
  void keepsTheLastTwoPerLevel() throws Exception {
    runTo(13);
    assertThat(directories(places().store()))
        .containsExactly("e000001-i0000000008", "e000001-i0000000012");
    assertThat(directories(places().nodeOfStore()))
        .containsExactly("e000001-i0000000010", "e000001-i0000000012");
  }

  @Test
  void restoresACheckpointByItsId() throws Exception {
    runTo(8);
    try (CairnEngine cairn = places().open();
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      GroupId group = new GroupId("test", "run");
      assertThat(checkpointer.restore(new CheckpointId(group, 7, 7))).isEmpty();
      assertThat(checkpointer.restore(new CheckpointId(group, 1, 4))).isPresent();
      assertThat(toy).isEqualTo(Toy.undisturbed(5));
    }
  }

  private List<String> directories(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store.resolve("test/run"))) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(n -> n.startsWith("e0"))
          .sorted()
          .toList();
    }
  }

  private static void damage(Path file, long offset) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {42, 42, 42, 42}), offset);
    }
  }

  private static void erase(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

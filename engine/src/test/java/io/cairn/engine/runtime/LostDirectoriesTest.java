package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of a group's directory at STORE are deleted between two runs; NODE keeps its copies. */
@Timeout(120)
class LostDirectoriesTest {
  private static final int STEPS = 5;

  @TempDir Path root;

  private Path group() {
    return new Places(root).store().resolve("test/run");
  }

  /** Continues the group by some iterations. */
  private Run run() throws IOException {
    try (CairnEngine cairn = new Places(root).open("store.every", "2");
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      Optional<RestoreReport> from = checkpointer.restore();
      long first = from.map(report -> report.id().iteration() + 1).orElse(0L);
      toy.run(checkpointer, first, first + STEPS + 1);
      assertThat(toy).isEqualTo(Toy.undisturbed(first + STEPS + 1));
      return new Run(
          from.map(report -> report.id().label()).orElse("nothing"),
          from.map(RestoreReport::level).orElse(null),
          checkpointer.epoch(),
          cairn.counters().count(Level.NODE, Outcome.Fenced.class)
              + cairn.counters().count(Level.STORE, Outcome.Fenced.class));
    }
  }

  private record Run(String from, @Nullable Level level, long epoch, long fenced) {}

  private static void erase(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aGroupWhoseDirectoryIsDeletedStartsAfreshAndIsNotFenced() throws Exception {
    run();
    run();
    run();
    erase(group());

    Run afresh = run();
    Run next = run();

    assertThat(afresh.from()).isEqualTo("nothing");
    assertThat(afresh.fenced()).isZero();
    assertThat(next.from()).isEqualTo("e" + afresh.epoch() + "-i5");
    assertThat(next.fenced()).isZero();
  }

  @Test
  void aGroupWithoutItsEpochFilesContinuesItsLine() throws Exception {
    run();
    run();
    Run third = run();
    erase(group().resolve("epochs"));

    Run fourth = run();
    Run fifth = run();

    assertThat(fourth.from()).isEqualTo("e3-i17");
    assertThat(fourth.epoch()).isGreaterThan(third.epoch());
    assertThat(fourth.fenced()).isZero();
    assertThat(fifth.from()).isEqualTo("e" + fourth.epoch() + "-i23");
  }

  @Test
  void epochsThatOnlyTheNodeRemembersAreNotTakenAgain() throws Exception {
    run();
    run();
    Run third = run();
    erase(group().resolve("epochs"));
    try (Stream<Path> checkpoints = Files.list(group())) {
      for (Path checkpoint :
          checkpoints.filter(path -> path.getFileName().toString().startsWith("e0")).toList()) {
        erase(checkpoint);
      }
    }

    Run fourth = run();
    Run fifth = run();

    assertThat(fourth.from()).isEqualTo("e3-i17");
    assertThat(fourth.epoch()).isGreaterThan(third.epoch());
    assertThat(fourth.fenced()).isZero();
    assertThat(fifth.from()).isEqualTo("e" + fourth.epoch() + "-i23");
  }

  @Test
  void aNewestCheckpointWhoseManifestIsLostIsReported() throws Exception {
    run();
    erase(new Places(root).node());
    try (Stream<Path> checkpoints = Files.list(group())) {
      Path newest =
          checkpoints.filter(path -> path.endsWith("e000001-i0000000005")).findAny().orElseThrow();
      Files.delete(newest.resolve("MANIFEST"));
    }

    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("run")) {
      new Toy().protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();

      assertThat(report.id().label()).isEqualTo("e1-i4");
      assertThat(report.attempts())
          .anySatisfy(
              attempt -> {
                assertThat(attempt.id().label()).isEqualTo("e1-i5");
                assertThat(attempt.refusal()).contains("manifest is gone");
              });
    }
  }

  /** The copies at NODE must not be orphaned, since STORE may have none as new. */
  @Test
  void aGroupWhoseBirthFileAloneIsLostKeepsItsCopiesAtNode() throws Exception {
    run();
    Files.delete(group().resolve("birth"));

    Run second = run();

    assertThat(second.from()).isEqualTo("e1-i5");
    assertThat(second.level()).isEqualTo(Level.NODE);
    assertThat(group().resolve("birth")).exists();
  }

  @ParameterizedTest
  @ValueSource(strings = {"test/run/birth", "cairn-store-id"})
  void aDamagedNameIsWrittenAgainAndTheCopiesAtNodeCount(String file) throws Exception {
    run();
    Path name = new Places(root).store().resolve(file);
    String before = Files.readString(name);
    Files.write(name, new byte[0]);

    Run second = run();

    assertThat(second.from()).isEqualTo("e1-i5");
    assertThat(second.level()).isEqualTo(Level.NODE);
    assertThat(name).hasContent(before);
  }

  /** Neither the file nor an epoch file names the birth, so NODE's directory does. */
  @Test
  void aBirthThatStoreHasLostIsFoundAtNode() throws Exception {
    run();
    String before = Files.readString(group().resolve("birth"));
    Files.write(group().resolve("birth"), new byte[0]);
    Files.write(group().resolve("epochs/000001"), new byte[0]);

    assertThat(run().level()).isEqualTo(Level.NODE);
    assertThat(group().resolve("birth")).hasContent(before);
  }

  @Test
  void aLostNameOfTheStoreIsFoundAtNode() throws Exception {
    run();
    Path name = new Places(root).store().resolve("cairn-store-id");
    String before = Files.readString(name);
    Files.delete(name);

    assertThat(run().level()).isEqualTo(Level.NODE);
    assertThat(name).hasContent(before);
  }

  @Test
  void aStoreWithoutCopiesAtNodeGetsItsNameBack() throws Exception {
    run();
    Path name = new Places(root).store().resolve("cairn-store-id");
    String before = Files.readString(name);
    erase(new Places(root).node());
    Files.write(name, new byte[0]);

    assertThat(run().level()).isEqualTo(Level.STORE);
    assertThat(name).hasContent(before);
  }

  @Test
  void copiesOfAnEarlierBirthAreDeletedOnceTheGroupSealsAgain() throws Exception {
    run();
    Path earlier = new Places(root).nodeOfStore();
    erase(group());

    run();

    assertThat(earlier).doesNotExist();
    assertThat(new Places(root).nodeOfStore()).exists();
  }

  @Test
  void aRunIsFencedWhenAnotherBeginsItsGroupAfresh() throws Exception {
    Places places = new Places(root);
    try (CairnEngine first = places.open();
        CairnEngine second = CairnEngine.open(places.config("node.dir", root + "/node2"))) {
      Checkpointer earlier = first.join("run");
      Toy zombie = new Toy();
      zombie.protectBy(earlier);
      zombie.run(earlier, 0, 5).sealed(Level.STORE).join();
      Files.move(group(), root.resolve("deleted")); // in one step, although the run still writes
      try (Checkpointer later = second.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(later);
        assertThat(later.restore()).isEmpty();

        Outcome late = zombie.run(earlier, 5, 9).sealed(Level.STORE).join();

        assertThat(late).isInstanceOf(Outcome.Fenced.class).asString().contains("deleted");
        assertThat(toy.run(later, 0, 5).sealed(Level.STORE).join())
            .isEqualTo(new Outcome.Sealed(Level.STORE));
      }
      earlier.close();
    }
  }

  /** Here even the births agree, as after a copy of the directory. */
  @Test
  void aCheckpointWithAContainerInAnotherStoreIsNotSealed() throws Exception {
    try (Ranks first = new Ranks(root, 2)) {
      first.each((rank, checkpointer) -> Ranks.toy(rank));
    }
    Path copied = Files.createDirectories(root.resolve("copy/test/run")).resolve("birth");
    Files.copy(group().resolve("birth"), copied);
    Files.writeString(root.resolve("copy/cairn-store-id"), "copy\n");

    // the last checkpoint never gets there, so its end has nothing to wait for
    String[] brief = {"closeTimeout", "100ms"};
    try (Ranks ranks =
        new Ranks(root, List.of(brief, brief), rank -> storeAt(rank == 0 ? "store" : "copy"))) {
      List<Outcome> outcomes =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                return toy.run(checkpointer, 0, 5).sealed(Level.STORE).join();
              });

      assertThat(outcomes)
          .allSatisfy(
              outcome ->
                  assertThat(outcome)
                      .isInstanceOf(Outcome.Failed.class)
                      .asString()
                      .contains("writer-r00001.chunks"));
    }
  }

  /** A store that is not the coordinator's takes containers that no reader ever finds. */
  @Test
  void aRankWhoseStoreIsAnotherDirectoryIsRefusedAlone() throws Exception {
    String[] brief = {"joinTimeout", "3s"};
    try (Ranks ranks =
        new Ranks(
            root, List.of(brief, brief), rank -> storeAt(rank == 0 ? "store" : "unmounted"))) {
      Future<Toy> stranger = ranks.start(1, (rank, checkpointer) -> Ranks.toy(rank));
      Future<Toy> other = ranks.start(0, (rank, checkpointer) -> Ranks.toy(rank));

      assertThatThrownBy(() -> Ranks.result(stranger))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("rank 1 of test/run has another store");
      assertThatThrownBy(() -> Ranks.result(other))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("missing: rank 1");
    }
  }

  private CheckpointStore storeAt(String name) throws IOException {
    return LocalStore.open(root.resolve(name), Durability.PROCESS);
  }
}

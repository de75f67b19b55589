package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CairnEvent;
import io.cairn.Checkpointer;
import io.cairn.Layout;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.engine.runtime.SlicedToy.Split;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Histories with checkpoints of several numbers of ranks. */
@Timeout(60)
class ReshapedHistoryTest {
  @TempDir Path root;

  private Path atStore(String checkpoint) {
    return new Places(root).store().resolve("test/run").resolve(checkpoint);
  }

  /** Trains all ranks to an iteration; the reports of their restores, if there was one. */
  private List<String> train(int size, long to, String... settings) throws Exception {
    try (Ranks ranks = new Ranks(root, size, settings)) {
      return ranks.each(
          (rank, checkpointer) -> {
            SlicedToy toy = protect(rank, size, checkpointer);
            String restored =
                checkpointer
                    .restore()
                    .map(each -> each.id().label() + " " + each.level())
                    .orElse("");
            long next = checkpointer.epoch() == 1 ? 0 : Long.parseLong(iteration(restored)) + 1;
            toy.run(checkpointer, next, to);
            assertThat(toy.weights)
                .isEqualTo(SlicedToy.undisturbed(Split.ROWS, rank, size, to).weights);
            return restored;
          });
    }
  }

  private static SlicedToy protect(int rank, int size, Checkpointer checkpointer) {
    SlicedToy toy = new SlicedToy(Split.ROWS, rank, size);
    toy.protectBy(checkpointer);
    checkpointer.protect(
        Region.of("frozen", new double[4_000]),
        RegionOptions.DEFAULT.withLayout(Layout.replicated()));
    return toy;
  }

  private static String iteration(String restored) {
    return restored.replaceAll(".*-i(\\d+) .*", "$1");
  }

  private static List<String> directories(Path group) throws IOException {
    try (Stream<Path> entries = Files.list(group)) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> name.startsWith("e0"))
          .sorted()
          .toList();
    }
  }

  /** As COMMIT.md says, so that another reader finds each element. */
  @Test
  void theManifestNamesTheLayoutsOfEveryRank() throws Exception {
    train(3, 6);
    assertThat(atStore("e000001-i0000000005").resolve("MANIFEST"))
        .content()
        .contains("\nentry layout.counter replicated\n")
        .contains("\nentry layout.weights slice float 30x700 at 0x0 of 10x700\n")
        .contains("\nentry layout.weights slice float 30x700 at 10x0 of 10x700\n")
        .contains("\nentry layout.weights slice float 30x700 at 20x0 of 10x700\n");
  }

  /** The only checkpoint of the new size is lost, so the group goes back to the old size. */
  @Test
  void anOlderCheckpointOfAnotherSizeCountsIfTheNewerIsLost() throws Exception {
    assertThat(train(4, 6)).containsOnly("");
    assertThat(train(2, 8)).allMatch(each -> each.startsWith("e1-i5 "));
    for (int rank = 0; rank < 2; rank++) {
      Files.delete(atStore("e000002-i0000000007").resolve("writer-r0000" + rank + ".chunks"));
      Files.move(root.resolve("machine-" + rank + "/node"), root.resolve("lost-" + rank));
    }
    assertThat(train(2, 12)).allMatch(each -> each.startsWith("e1-i5 "));
    assertThat(train(3, 16)).allMatch(each -> each.startsWith("e3-i11 "));
  }

  @Test
  void newerSealsReplaceCheckpointsOfTheOldSize() throws Exception {
    train(3, 6);
    train(2, 16);
    assertThat(directories(atStore(""))).hasSize(2).allMatch(name -> name.startsWith("e000002-"));
    for (int rank = 0; rank < 2; rank++) {
      Path node = new Places(root.resolve("machine-" + rank)).nodeOfStore().resolve("test/run");
      assertThat(directories(node)).isNotEmpty().allMatch(name -> name.startsWith("e000002-"));
    }
  }

  /** The first container of each epoch is whole, since a base of another size has other chunks. */
  @Test
  void noCheckpointLeansOnOneOfAnotherSize() throws Exception {
    String[] layers = {"store.maxLayers", "4", "node.maxLayers", "4"};
    train(3, 6, layers);
    assertThat(atStore("e000001-i0000000005").resolve("MANIFEST")).content().contains("\nholder ");
    assertThat(train(2, 8, layers)).allMatch(each -> each.startsWith("e1-i5 "));
    assertThat(atStore("e000002-i0000000007").resolve("MANIFEST"))
        .content()
        .contains("size 2\n")
        .contains("parent 1 5 ")
        .doesNotContain("holder 1 ");
    assertThat(train(4, 12, layers)).allMatch(each -> each.startsWith("e2-i7 "));
  }

  /** One machine has all ranks at NODE, so STORE is not needed. */
  @Test
  void copiesOfAllRanksAtOneNodeCount() throws Exception {
    String[] oneNode = {"node.dir", root.resolve("shared").toString()};
    train(4, 7, oneNode);
    Files.move(atStore("e000001-i0000000006"), root.resolve("gone"));
    assertThat(train(3, 12, oneNode)).containsOnly("e1-i6 NODE");
  }

  @Test
  void anAttemptOfTheOldSizeIsFenced() throws Exception {
    CountDownLatch trained = new CountDownLatch(2);
    CountDownLatch replaced = new CountDownLatch(1);
    try (Ranks before = new Ranks(root, 2)) {
      List<Future<Outcome>> old = new ArrayList<>();
      for (int each : List.of(0, 1)) {
        old.add(
            before.start(
                each,
                (rank, checkpointer) -> {
                  SlicedToy toy = new SlicedToy(Split.ROWS, rank, 2);
                  toy.protectBy(checkpointer);
                  toy.run(checkpointer, 0, 5).sealed(Level.STORE).get();
                  trained.countDown();
                  replaced.await();
                  return toy.run(checkpointer, 5, 9).sealed(Level.STORE).get();
                }));
      }
      trained.await();
      try (Ranks after = new Ranks(root, 3)) {
        after.each(
            (rank, checkpointer) -> {
              SlicedToy toy = new SlicedToy(Split.ROWS, rank, 3);
              toy.protectBy(checkpointer);
              assertThat(checkpointer.restore().orElseThrow().id().label()).isEqualTo("e1-i4");
              return toy.run(checkpointer, 5, 9);
            });
        replaced.countDown();
        for (Future<Outcome> one : old) {
          assertThat(Ranks.result(one)).isInstanceOf(Outcome.Fenced.class);
        }
      }
    }
    assertThat(directories(atStore(""))).last().asString().isEqualTo("e000002-i0000000008");
  }

  /** A repair after the restore belongs to the old size, as the copy that it replaces. */
  @Test
  void aBadCopyOfTheOldSizeIsReplacedAsOneOfTheOldSize() throws Exception {
    train(3, 6);
    Path copy =
        new Places(root.resolve("machine-0")).nodeOfStore().resolve("test/run/e000001-i0000000005");
    Files.write(copy.resolve("writer-r00000.chunks"), new byte[0]);
    CompletableFuture<CairnEvent> repaired = new CompletableFuture<>();
    try (Ranks ranks = new Ranks(root, 2)) {
      Consumer<CairnEvent> ended =
          event -> {
            if (event instanceof CairnEvent.Repaired || event instanceof CairnEvent.NotRepaired) {
              repaired.complete(event);
            }
          };
      ranks.cairn(0).observers().add(ended);
      ranks.each(
          (rank, checkpointer) -> {
            protect(rank, 2, checkpointer);
            RestoreReport report = checkpointer.restore().orElseThrow();
            return rank == 0 ? repaired.get() : report;
          });
    }
    assertThat(repaired.get()).isInstanceOf(CairnEvent.Repaired.class);
    assertThat(copy.resolve("MANIFEST-r00000")).content().contains("\nsize 3\n");
    assertThat(train(3, 12)).allMatch(each -> each.startsWith("e1-i5 "));
  }

  /** The bad chunk is one of the region that all ranks have. */
  @Test
  void aBadReplicaIsReadFromAnotherRank() throws Exception {
    train(3, 6);
    Path container = atStore("e000001-i0000000005").resolve("writer-r00000.chunks");
    try (FileChannel file = FileChannel.open(container, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {42, 42, 42, 42}), 40_000);
    }
    Files.move(root.resolve("machine-0/node"), root.resolve("lost"));
    assertThat(train(1, 12)).containsExactly("e1-i5 STORE");
  }

  /** Each rank has a counter of its own, although it was declared as replicated. */
  @Test
  void ranksThatDifferInAReplicatedRegionAreRefused() throws Exception {
    try (Ranks ranks = new Ranks(root, 3)) {
      ranks.each(
          (rank, checkpointer) -> {
            SlicedToy toy = new SlicedToy(Split.ROWS, rank, 3);
            toy.counter = rank == 2 ? 7 : 0;
            toy.protectBy(checkpointer);
            return toy.run(checkpointer, 0, 6);
          });
    }
    try (Ranks ranks = new Ranks(root, 2)) {
      assertThatThrownBy(() -> ranks.each(ReshapedHistoryTest::restore))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("region counter was declared as replicated, and ranks 0 and 2");
    }
  }

  private static RestoreReport restore(int rank, Checkpointer checkpointer) {
    new SlicedToy(Split.ROWS, rank, 2).protectBy(checkpointer);
    return checkpointer.restore().orElseThrow();
  }
}

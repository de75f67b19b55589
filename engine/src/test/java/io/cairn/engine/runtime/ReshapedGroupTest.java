package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Layout;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.RestoreReport.Attempt;
import io.cairn.engine.runtime.SlicedToy.Split;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups that resume with another number of ranks, or with other slices. */
@Timeout(60)
class ReshapedGroupTest {
  @TempDir Path root;

  private void begin(Split split, int size, long to, String... settings) throws Exception {
    try (Ranks ranks = new Ranks(root, size, settings)) {
      ranks.each(
          (rank, checkpointer) -> {
            SlicedToy toy = new SlicedToy(split, rank, size);
            toy.protectBy(checkpointer);
            assertThat(checkpointer.restore()).isEmpty();
            return toy.run(checkpointer, 0, to);
          });
    }
  }

  private static RestoreReport restore(
      SlicedToy toy, Checkpointer checkpointer, Split split, int rank, int size) {
    toy.protectBy(checkpointer);
    RestoreReport report = checkpointer.restore().orElseThrow();
    SlicedToy expected = SlicedToy.undisturbed(split, rank, size, report.id().iteration() + 1);
    assertThat(toy.weights).isEqualTo(expected.weights);
    assertThat(toy.counter).isEqualTo(expected.counter);
    return report;
  }

  private void resume(String from, Split split, int size, long to, String... settings)
      throws Exception {
    try (Ranks ranks = new Ranks(root, size, settings)) {
      ranks.each(
          (rank, checkpointer) -> {
            SlicedToy toy = new SlicedToy(split, rank, size);
            RestoreReport report = restore(toy, checkpointer, split, rank, size);
            assertThat(report.id().label()).isEqualTo(from);
            toy.run(checkpointer, report.id().iteration() + 1, to);
            SlicedToy expected = SlicedToy.undisturbed(split, rank, size, to);
            assertThat(toy.weights).isEqualTo(expected.weights);
            assertThat(toy.counter).isEqualTo(expected.counter);
            for (Level level : Level.values()) {
              assertThat(ranks.cairn(rank).counters().count(level, Outcome.Failed.class)).isZero();
            }
            return report;
          });
    }
  }

  @Test
  void aGroupResumesWithMoreAndWithFewerRanks() throws Exception {
    begin(Split.ROWS, 4, 6);
    resume("e1-i5", Split.COLUMNS, 2, 11);
    resume("e2-i10", Split.ROWS, 3, 16);
    resume("e3-i15", Split.ROWS, 1, 21);
    resume("e4-i20", Split.COLUMNS, 4, 26);
    resume("e5-i25", Split.COLUMNS, 4, 31);
  }

  /** The generator of each rank as its restore left it; 0 before that. */
  private List<Long> withGenerators(int size, long to) throws Exception {
    try (Ranks ranks = new Ranks(root, size)) {
      return ranks.each(
          (rank, checkpointer) -> {
            SlicedToy toy = new SlicedToy(Split.ROWS, rank, size);
            toy.protectBy(checkpointer);
            long[] generator = {0};
            checkpointer.protect(
                Region.of("generator", generator),
                RegionOptions.DEFAULT.withLayout(Layout.perRankOrDropped()));
            long from = checkpointer.restore().map(r -> r.id().iteration() + 1).orElse(0L);
            long restored = generator[0];
            generator[0] = 100L + rank;
            toy.run(checkpointer, from, to);
            assertThat(toy.weights)
                .isEqualTo(SlicedToy.undisturbed(Split.ROWS, rank, size, to).weights);
            return restored;
          });
    }
  }

  @Test
  void aGroupOfAnotherSizeResumesWithoutWhatMayBeDropped() throws Exception {
    assertThat(withGenerators(3, 6)).containsExactly(0L, 0L, 0L);
    assertThat(withGenerators(3, 11)).containsExactly(100L, 101L, 102L);
    assertThat(withGenerators(2, 16)).containsExactly(0L, 0L);
    assertThat(withGenerators(2, 21)).containsExactly(100L, 101L);
  }

  /** Trains to an iteration, after a restore into these regions; the report of each rank. */
  private List<Optional<RestoreReport>> withRegions(int size, long to, Regions regions)
      throws Exception {
    try (Ranks ranks = new Ranks(root, size)) {
      return ranks.each(
          (rank, checkpointer) -> {
            regions.protect(rank, checkpointer);
            Optional<RestoreReport> report = checkpointer.restore();
            long from = report.map(r -> r.id().iteration() + 1).orElse(0L);
            for (long i = from; i < to; i++) {
              checkpointer.checkpoint(i).captured().join();
            }
            return report;
          });
    }
  }

  /** Protects the regions of a rank. */
  private interface Regions {
    void protect(int rank, Checkpointer checkpointer);
  }

  private static void generator(int rank, Checkpointer checkpointer) {
    checkpointer.protect(
        Region.of("generator", new long[] {rank}),
        RegionOptions.DEFAULT.withLayout(Layout.perRankOrDropped()));
  }

  private static Regions slices(long[] offsets, long[] lengths) {
    return (rank, checkpointer) -> {
      generator(rank, checkpointer);
      checkpointer.protect(
          Region.of("w", new float[(int) lengths[rank]]),
          RegionOptions.DEFAULT.withLayout(
              Layout.slice(
                  new long[] {8}, new long[] {offsets[rank]}, new long[] {lengths[rank]})));
    };
  }

  @Test
  void aRestoreThatDropsAllNamesTheLevelOfItsManifests() throws Exception {
    withRegions(2, 6, ReshapedGroupTest::generator);

    assertThat(withRegions(3, 7, ReshapedGroupTest::generator))
        .allSatisfy(
            each ->
                assertThat(each)
                    .hasValueSatisfying(
                        report -> {
                          assertThat(report.level()).isNotEqualTo(Level.DEVICE);
                          assertThat(report.source()).contains(root.toString());
                          assertThat(report.bytes()).isZero();
                          assertThat(report.dropped()).containsExactly("generator");
                          assertThat(report.attempts())
                              .last()
                              .isEqualTo(new Attempt(report.id(), report.level(), ""));
                        }));
  }

  @Test
  void eachRankReportsWhatItDropped() throws Exception {
    withRegions(2, 6, slices(new long[] {0, 4}, new long[] {4, 4}));

    List<Optional<RestoreReport>> reports =
        withRegions(2, 7, slices(new long[] {0, 2}, new long[] {4, 6}));

    assertThat(reports.get(0)).map(RestoreReport::dropped).contains(List.of());
    assertThat(reports.get(0)).map(RestoreReport::bytes).contains(8L + 4 * Float.BYTES);
    assertThat(reports.get(1)).map(RestoreReport::dropped).contains(List.of("generator"));
    assertThat(reports.get(1)).map(RestoreReport::bytes).contains(6L * Float.BYTES);
  }

  @Test
  void ranksOfTheSameNumberResumeWithOtherSlices() throws Exception {
    begin(Split.ROWS, 3, 6);
    resume("e1-i5", Split.COLUMNS, 3, 11);
  }

  /** The device cache then has captures of both sizes. */
  @Test
  void aProcessThatGoesOnResumesWithFewerRanks() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (CairnEngine cairn = new Places(root).open()) {
      List<Future<?>> both = new ArrayList<>();
      for (int rank : List.of(0, 1)) {
        both.add(threads.submit(() -> train(cairn, rank, 2, 6)));
      }
      for (Future<?> one : both) {
        Ranks.result(one);
      }
      assertThat(train(cairn, 0, 1, 11)).isEqualTo("e1-i5");
      assertThat(train(cairn, 0, 1, 16)).isEqualTo("e2-i10");
    } finally {
      threads.shutdownNow();
    }
  }

  /** Trains to an iteration and ends; the checkpoint that it resumed from. */
  private static String train(CairnEngine cairn, int rank, int size, long to) {
    try (Checkpointer checkpointer = cairn.join("run", rank, size)) {
      SlicedToy toy = new SlicedToy(Split.ROWS, rank, size);
      toy.protectBy(checkpointer);
      Optional<RestoreReport> report = checkpointer.restore();
      long next = report.map(each -> each.id().iteration() + 1).orElse(0L);
      toy.run(checkpointer, next, to);
      checkpointer.end(to - 1);
      assertThat(toy.weights).isEqualTo(SlicedToy.undisturbed(Split.ROWS, rank, size, to).weights);
      return report.map(each -> each.id().label()).orElse("");
    }
  }

  /** Two ranks have 10 500 elements each in both splits, so no length shows the difference. */
  @Test
  void loadReadsTheElementsOfThePresentSlice() throws Exception {
    begin(Split.ROWS, 2, 6);
    CheckpointId old = new CheckpointId(new GroupId("test", "run"), 1, 5);
    try (Ranks ranks = new Ranks(root, 2)) {
      ranks.each((rank, checkpointer) -> load(old, Split.COLUMNS, rank, 2, checkpointer));
    }
    try (Ranks ranks = new Ranks(root, 3)) {
      ranks.each((rank, checkpointer) -> load(old, Split.ROWS, rank, 3, checkpointer));
    }
  }

  private static RestoreReport load(
      CheckpointId id, Split split, int rank, int size, Checkpointer checkpointer) {
    SlicedToy present = new SlicedToy(split, rank, size);
    present.protectBy(checkpointer);
    float[] older = new float[present.weights.length];
    RestoreReport report = checkpointer.load(id, Region.of("weights", older)).orElseThrow();
    assertThat(older).isEqualTo(SlicedToy.undisturbed(split, rank, size, 6).weights);
    assertThat(report.bytes()).isEqualTo((long) older.length * Float.BYTES);
    assertThat(present.counter).isZero();
    return report;
  }

  /** Other nodes answer for the rank that asks, and for no other. */
  @Test
  void aRunThatNeverResumesTakesItsOwnCheckpointsOfAnotherSize() throws Exception {
    assertThat(ofRun("first", 4, 6)).containsOnly("");
    assertThat(ofRun("second", 4, 6)).containsOnly("");
    assertThat(ofRun("second", 2, 11)).containsOnly("e2-i5");
    assertThat(ofRun("third", 3, 6)).containsOnly("");
  }

  /** Trains to an iteration with served nodes; the checkpoint that each rank resumed from. */
  private List<String> ofRun(String run, int size, long to) throws Exception {
    try (ServedNodes nodes = new ServedNodes();
        Ranks ranks = nodes.join(new Ranks(root, size, "resume", "never"), size)) {
      for (int rank = 0; rank < size; rank++) {
        ranks.cairn(rank).run(run);
      }
      return ranks.each(
          (rank, checkpointer) -> {
            SlicedToy toy = new SlicedToy(Split.ROWS, rank, size);
            toy.protectBy(checkpointer);
            Optional<RestoreReport> report = checkpointer.restore();
            toy.run(checkpointer, report.map(each -> each.id().iteration() + 1).orElse(0L), to);
            return report.map(each -> each.id().label()).orElse("");
          });
    }
  }

  private Path container(String checkpoint, int rank) {
    return new Places(root)
        .store()
        .resolve("test/run/" + checkpoint + "/writer-r0000" + rank + ".chunks");
  }

  private static void damage(Path container) throws IOException {
    try (FileChannel file = FileChannel.open(container, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {42, 42, 42, 42}), 9000);
    }
  }

  @Test
  void aBadChunkOfOneSavedRankTakesTheGroupBackFurther() throws Exception {
    begin(Split.ROWS, 4, 9, "node.dir", root.resolve("gone").toString());
    damage(container("e000001-i0000000008", 2));
    resume("e1-i4", Split.ROWS, 3, 12);
  }

  @Test
  void ranksWithRegionsOfTheirOwnAreRefused() throws Exception {
    try (Ranks ranks = new Ranks(root, 2)) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            return toy.run(checkpointer, 0, 6);
          });
    }
    try (Ranks ranks = new Ranks(root, 1)) {
      assertThatThrownBy(
              () ->
                  ranks.each(
                      (rank, checkpointer) -> {
                        Ranks.toy(rank).protectBy(checkpointer);
                        return checkpointer.restore();
                      }))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("was written by 2 ranks, this group has 1")
          .hasMessageContaining("[weights, counter]");
      assertThatThrownBy(
              () ->
                  ranks.each(
                      (rank, checkpointer) -> {
                        new SlicedToy(Split.ROWS, rank, 1).protectBy(checkpointer);
                        return checkpointer.restore();
                      }))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("[weights, counter] were saved without a layout");
    }
  }
}

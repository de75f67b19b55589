package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.optimize.listeners.Checkpoint;
import org.deeplearning4j.optimize.listeners.CheckpointListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same options for DL4J's listener and Cairn's, and which iterations each of them keeps. */
class CheckpointListenerShapeTest {
  private static final int EPOCHS = 3;

  @TempDir Path directory;
  private File dir = new File("");

  @BeforeEach
  void name() {
    dir = directory.resolve("checkpoints").toFile();
  }

  private static MultiLayerNetwork fitted(TrainingListener listener) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    model.setListeners(listener);
    model.fit(TestData.shuffling(), EPOCHS);
    return model;
  }

  /** Iterations of the checkpoints in the store, oldest first. */
  private List<Long> kept() throws IOException {
    try (CheckpointStore store =
        CheckpointStores.openForReading(new File(dir, "store").toString())) {
      return Inventory.list(store, new GroupId("cairn", "model")).checkpoints().keySet().stream()
          .map(CheckpointId::iteration)
          .toList();
    }
  }

  private List<Long> savedByDl4j() {
    return CheckpointListener.availableCheckpoints(dir).stream()
        .map(Checkpoint::getIteration)
        .map(Integer::longValue)
        .toList();
  }

  private void assertKeptAsDl4jDoes(TrainingListener theirs, CairnListener ours, Long... more)
      throws IOException {
    Files.createDirectories(dir.toPath());
    try (ours) {
      MultiLayerNetwork model = fitted(ours);
      fitted(theirs);
      assertThat(model.getIterationCount()).isEqualTo(EPOCHS * TestData.MINIBATCHES);
    }
    List<Long> expected = new ArrayList<>(savedByDl4j());
    expected.addAll(List.of(more));
    assertThat(kept()).containsExactlyElementsOf(expected.stream().distinct().sorted().toList());
  }

  private static final long LAST = EPOCHS * TestData.MINIBATCHES - 1L;

  /** DL4J passes iteration 0 over, and the last one if it is not due. */
  @Test
  void everyThirdIteration() throws IOException {
    Files.createDirectories(dir.toPath());
    assertKeptAsDl4jDoes(
        new CheckpointListener.Builder(dir).saveEveryNIterations(3).build(),
        new CairnListener.Builder(dir).saveEveryNIterations(3).build(),
        0L,
        LAST);
  }

  @Test
  void theNewestAlone() throws IOException {
    try (CairnListener listener =
        new CairnListener.Builder(dir).saveEveryNIterations(2).keepLast(2).build()) {
      fitted(listener);
    }

    assertThat(kept()).hasSize(2).endsWith(LAST);
  }

  @Test
  void theNewestAndEverySecond() throws IOException {
    Files.createDirectories(dir.toPath());
    fitted(
        new CheckpointListener.Builder(dir).saveEveryNIterations(2).keepLastAndEvery(1, 2).build());
    try (CairnListener listener =
        new CairnListener.Builder(dir).saveEveryNIterations(2).keepLastAndEvery(1, 2).build()) {
      fitted(listener);
    }

    assertThat(savedByDl4j()).containsExactly(4L, 8L, 10L);
    assertThat(kept()).containsExactly(0L, 4L, 8L, LAST);
  }

  @Test
  void everyEpoch() throws IOException {
    try (CairnListener listener = new CairnListener.Builder(dir).saveEveryEpoch().build()) {
      fitted(listener);
    }

    assertThat(kept())
        .containsExactly(0L, TestData.MINIBATCHES - 1L, 2L * TestData.MINIBATCHES - 1L, LAST);
  }

  @Test
  void aSecondRunRestoresOrIsRefused() throws IOException {
    MultiLayerNetwork first;
    try (CairnListener listener =
        new CairnListener.Builder(dir.toString()).saveEveryNIterations(2).build()) {
      first = fitted(listener);
    }
    try (CairnListener listener = new CairnListener.Builder(dir).saveEveryNIterations(2).build()) {
      assertThatThrownBy(() -> fitted(listener))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(dir + " has checkpoints of an earlier training")
          .hasMessageContaining("restore(model)")
          .hasMessageContaining("deleteExisting(true)");
      MultiLayerNetwork second = TestNets.adam();
      assertThat(listener.restore(second)).isPresent();
      assertThat(ModelDigest.of(second)).isEqualTo(ModelDigest.of(first));
    }
    try (CairnListener listener =
        new CairnListener.Builder(dir).saveEveryNIterations(100).deleteExisting(true).build()) {
      assertThat(listener.restore(TestNets.adam())).isEmpty();
    }
  }

  @Test
  void filesThatCairnDidNotWriteAreNeverDeleted() throws IOException {
    Path foreign = Files.createDirectories(dir.toPath().resolve("store/thesis"));
    Path cache = Files.createDirectories(dir.toPath().resolve("node/cache"));
    CairnListener.Builder deleting =
        new CairnListener.Builder(dir).saveEveryNIterations(100).deleteExisting(true);
    assertThatThrownBy(
            () -> {
              try (CairnListener listener = deleting.build()) {
                fitted(listener);
              }
            })
        .hasMessageContaining("is no store of Cairn");
    assertThat(foreign).exists();
    assertThat(cache).exists();
  }

  @Test
  void optionsWithoutAnEqualAreRefusedByName() {
    assertThatThrownBy(() -> new CairnListener.Builder(dir).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nothing would be saved");
    assertThatThrownBy(
            () ->
                new CairnListener.Builder(dir)
                    .saveEvery(1, TimeUnit.HOURS)
                    .keepLastAndEvery(2, 3)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keepLastAndEvery without saveEveryNIterations")
        .hasMessageContaining("every:1000");
    assertThatThrownBy(() -> new CairnListener.Builder(dir).saveEveryNIterations(0))
        .hasMessageContaining("saveEveryNIterations is 0");
    assertThatThrownBy(() -> new CairnListener.Builder(dir).saveEveryEpoch().set("x", "y").build())
        .hasMessageContaining("x");
  }

  @Test
  void aRuleOfTheUserKeepsWhatTheOptionsKeep() {
    assertThat(CheckpointOptions.rules("younger:36500d", "lowest:3"))
        .isEqualTo("lowest:3,younger:36500d");
    assertThat(CheckpointOptions.rules("newest:5", "3, every:10")).isEqualTo("every:10,newest:3");
    assertThat(CheckpointOptions.rules("newest:5", null)).isEqualTo("newest:5");
  }

  /** The time is not waited for: the settings say what holds. */
  @Test
  void aTimeBoundsTheAgeOfTheNewestCheckpoint() {
    assertThat(CheckpointOptions.NONE.everyMillis(90_000).settings())
        .containsEntry("store.within", "90000ms")
        .containsEntry("store.every", String.valueOf(1 << 30))
        .containsEntry("keep", "younger:36500d");
  }
}

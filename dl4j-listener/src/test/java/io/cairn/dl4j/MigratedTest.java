package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/** The program of docs/DL4J.md, run again in its directory. */
class MigratedTest {
  private static final int EPOCHS = 2;

  @TempDir Path directory;

  // docs/DL4J.md: begin
  static void train(MultiLayerNetwork model, DataSetIterator data, File dir, int epochs) {
    try (CairnListener listener =
        new CairnListener.Builder(dir).saveEveryNIterations(100).keepLast(3).build()) {
      listener.restore(model); // new: what CheckpointListener.loadLastCheckpointMLN was for
      model.setListeners(listener);
      listener.skipConsumed(data); // new: goes to the minibatch after the checkpoint
      while (model.getEpochCount() < epochs) {
        model.fit(data);
      }
      listener.end(); // new: the training has ended, and has not only stopped
    }
  }

  // docs/DL4J.md: end

  private static MultiLayerNetwork network() {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    return model;
  }

  @Test
  void aTrainingThatEndedTrainsNothing() {
    MultiLayerNetwork first = network();
    train(first, TestData.shuffling(), directory.toFile(), EPOCHS);
    assertThat(first.getIterationCount()).isEqualTo(EPOCHS * TestData.MINIBATCHES);

    MultiLayerNetwork second = network();
    train(second, TestData.shuffling(), directory.toFile(), EPOCHS);

    assertThat(second.getIterationCount()).isEqualTo(first.getIterationCount());
    assertThat(second.getEpochCount()).isEqualTo(EPOCHS);
    assertThat(ModelDigest.of(second)).isEqualTo(ModelDigest.of(first));
  }

  @Test
  void aTrainingThatEndedGoesOnToALaterEpoch() {
    MultiLayerNetwork whole = network();
    whole.fit(TestData.shuffling(), EPOCHS);
    train(network(), TestData.shuffling(), directory.toFile(), EPOCHS - 1);

    MultiLayerNetwork model = network();
    train(model, TestData.shuffling(), directory.toFile(), EPOCHS);

    assertThat(ModelDigest.of(model)).isEqualTo(ModelDigest.of(whole));
  }

  @Test
  void aTrainingThatDiedGoesOnAtTheNextMinibatch() {
    int died = TestData.MINIBATCHES + 1;
    File dir = directory.toFile();
    assertThatThrownBy(() -> train(network(), new DyingData(died), dir, EPOCHS))
        .isInstanceOf(DyingData.DeathException.class);

    MultiLayerNetwork model = network();
    train(model, TestData.shuffling(), dir, EPOCHS);

    MultiLayerNetwork whole = network();
    whole.fit(TestData.shuffling(), EPOCHS);
    assertThat(model.getIterationCount()).isEqualTo(whole.getIterationCount());
    assertThat(ModelDigest.of(model)).isEqualTo(ModelDigest.of(whole));
  }

  @Test
  void thePageShowsThisProgram() throws IOException {
    PageCode.requireOn("docs/DL4J.md", MigratedTest.class);
  }
}

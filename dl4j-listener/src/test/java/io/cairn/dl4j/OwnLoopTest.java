package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.Digest;
import java.io.IOException;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;

/** The loop of docs/DL4J.md, killed and started again. */
class OwnLoopTest {
  private static final int EPOCHS = 2;
  private static final int ALL = EPOCHS * TestData.MINIBATCHES;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  /** Adds noise from ND4J's generator to each minibatch. */
  private static final class Noisy extends DyingData {
    private static final long serialVersionUID = 1;

    Noisy(int minibatches) {
      super(minibatches);
    }

    @Override
    public synchronized DataSet next() {
      DataSet minibatch = super.next();
      double noise = Nd4j.getRandom().nextDouble();
      return new DataSet(minibatch.getFeatures().add(noise), minibatch.getLabels());
    }
  }

  private static DataSetIterator data(boolean noisy, int minibatches) {
    return noisy ? new Noisy(minibatches) : new DyingData(minibatches);
  }

  private static MultiLayerNetwork train(
      Checkpointer checkpointer, DataSetIterator iterator, int epochs) {
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    // docs/DL4J.md: begin
    CairnListener listener = new CairnListener(checkpointer);
    listener.restore(model);
    model.addListeners(listener);
    listener.skipConsumed(iterator); // goes to the minibatch after the checkpoint
    while (model.getEpochCount() < epochs) {
      while (iterator.hasNext()) {
        model.fit(iterator.next());
      }
      iterator.reset();
      model.incrementEpochCount();
    }
    listener.end(); // keeps the last iteration, whether it is due or not
    // docs/DL4J.md: end
    return model;
  }

  private static Digest undisturbed(boolean noisy) {
    return ModelDigest.of(train(new MemoryCheckpoints().join(), data(noisy, ALL), EPOCHS));
  }

  private void dieAndGoOn(boolean noisy, int minibatches) {
    assertThatThrownBy(() -> train(checkpoints.join(), data(noisy, minibatches), EPOCHS))
        .isInstanceOf(DyingData.DeathException.class);
    assertThat(checkpoints.checkpoints.lastKey().iteration()).isEqualTo(minibatches - 1);
    Nd4j.getRandom().setSeed(99); // another process

    MultiLayerNetwork model = train(checkpoints.join(), data(noisy, 2 * ALL), EPOCHS);

    assertThat(model.getIterationCount()).isEqualTo(ALL);
    assertThat(ModelDigest.of(model)).isEqualTo(undisturbed(noisy));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 6, 7})
  void goesOnAtTheNextMinibatchOfAShufflingIterator(int minibatches) {
    dieAndGoOn(false, minibatches);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 6, 7})
  void goesOnWithTheNoiseOfTheNextMinibatch(int minibatches) {
    dieAndGoOn(true, minibatches);
  }

  @Test
  void aLoopThatEndedTrainsNothing() {
    Digest ended = ModelDigest.of(train(checkpoints.join(), data(false, ALL), EPOCHS));
    int captured = checkpoints.checkpoints.size();

    MultiLayerNetwork model = train(checkpoints.join(), data(false, ALL), EPOCHS);

    assertThat(ModelDigest.of(model)).isEqualTo(ended);
    assertThat(checkpoints.checkpoints).hasSize(captured);
  }

  @Test
  void thePageShowsThisLoop() throws IOException {
    PageCode.requireOn("docs/DL4J.md", OwnLoopTest.class);
  }
}

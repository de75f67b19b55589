package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.RestoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.NeuralNetwork;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.InvocationType;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/** Evaluations of a resumed training come when the undisturbed one has them, with its numbers. */
class ListenerCountsTest {
  private static final int EPOCHS = 4;

  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  /** The evaluations of one process after another: "number at iteration". */
  private final List<String> seen = new ArrayList<>();

  private static final class DeathException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static EvaluativeListener evaluating(
      InvocationType type, int frequency, List<String> into) {
    EvaluativeListener listener =
        new EvaluativeListener(TestData.minibatches(0).get(0), frequency, type);
    listener.setCallback(
        (own, model, number, evaluations) ->
            into.add(number + " at " + TrainedModel.of(model).iterations()));
    return listener;
  }

  private static BaseTrainingListener dyingAt(int deadly) {
    return new BaseTrainingListener() {
      @Override
      public void iterationDone(Model model, int iteration, int epoch) {
        if (iteration == deadly) {
          throw new DeathException();
        }
      }
    };
  }

  private static List<String> undisturbed(Model model, InvocationType type, int frequency) {
    List<String> evaluations = new ArrayList<>();
    model.init();
    model.setListeners(evaluating(type, frequency, evaluations));
    DataSetIterator data = TestData.shuffling();
    for (int k = 0; k < EPOCHS; k++) {
      ((NeuralNetwork) model).fit(data);
    }
    return evaluations;
  }

  private void train(Model model) {
    try (CairnTraining run =
        CairnTraining.resume(model, TestData.shuffling(), checkpoints.join())) {
      run.fit(EPOCHS);
    }
  }

  /** Four minibatches per epoch: the deaths lie within epochs, and in their first and last. */
  @ParameterizedTest
  @CsvSource({
    "ITERATION_END, 3, 5", "ITERATION_END, 5, 7", "ITERATION_END, 1, 4",
    "EPOCH_START, 1, 5", "EPOCH_START, 2, 8", "EPOCH_START, 2, 6",
    "EPOCH_END, 1, 8", "EPOCH_END, 2, 7", "EPOCH_END, 2, 5"
  })
  void evaluationsGoOn(InvocationType type, int frequency, int death) {
    goOn(TestNets::adam, type, frequency, death);
  }

  /** A graph asks for its first minibatch before it announces the epoch. */
  @ParameterizedTest
  @CsvSource({"EPOCH_START, 1, 5", "EPOCH_START, 2, 6", "EPOCH_END, 2, 5", "ITERATION_END, 3, 5"})
  void evaluationsOfGraphsGoOn(InvocationType type, int frequency, int death) {
    goOn(TestNets::plainGraph, type, frequency, death);
  }

  private void goOn(
      Supplier<? extends Model> network, InvocationType type, int frequency, int death) {
    Model first = network.get();
    first.init();
    // dies before the evaluation
    first.setListeners(dyingAt(death), evaluating(type, frequency, seen));
    assertThatThrownBy(() -> train(first)).isInstanceOf(DeathException.class);

    Model second = network.get();
    second.init();
    second.setListeners(evaluating(type, frequency, seen));
    train(second);

    // one that followed the checkpoint is repeated
    assertThat(seen.stream().distinct().toList())
        .isEqualTo(undisturbed(network.get(), type, frequency))
        .isNotEmpty();
    assertThat(TrainedModel.of(second).listeners()).hasSize(1);
  }

  /** A loop of the program's own, which attaches its listeners after the restore. */
  @ParameterizedTest
  @ValueSource(ints = {4, 6})
  void evaluationsGoOnInALoopOfTheProgramsOwn(int death) {
    MultiLayerNetwork first = TestNets.adam();
    loop(first, 0, death);
    assertThat(seen).hasSize(death / 3 + (death % 3 > 0 ? 1 : 0));

    loop(TestNets.adam(), death, 10);

    assertThat(seen).containsExactly("1 at 0", "2 at 3", "3 at 6", "4 at 9");
  }

  private void loop(MultiLayerNetwork model, int from, int to) {
    model.init();
    CairnListener listener = new CairnListener(checkpoints.join());
    assertThat(listener.restore(model).isPresent()).isEqualTo(from > 0);
    model.setListeners(evaluating(InvocationType.ITERATION_END, 3, seen), listener);
    for (int k = from; k < to; k++) {
      model.fit(TestData.minibatches(0).get(k % TestData.MINIBATCHES));
    }
    listener.awaitCaptured();
  }

  @Test
  void otherListenersKeepTheirCounters() {
    Bytes saved =
        ListenerCounts.of(List.of(evaluating(InvocationType.EPOCH_END, 1, new ArrayList<>())));
    EvaluativeListener other = evaluating(InvocationType.ITERATION_END, 2, seen);
    MultiLayerNetwork model = TestNets.adam();
    model.init();
    other.iterationDone(model, 0, 0);

    ListenerCounts.restore(saved, List.of(other));
    other.iterationDone(model, 1, 0);
    other.iterationDone(model, 2, 0);

    assertThat(seen).hasSize(2).last().asString().startsWith("2 ");
  }

  @Test
  void bytesOfAnotherFormAreRefused() {
    assertThatThrownBy(() -> ListenerCounts.restore(Bytes.of(new byte[20]), List.of()))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("20 bytes")
        .hasMessageContaining("17");
  }

  @Test
  void aVersionOfDl4jWithoutTheFieldIsRefused() {
    assertThatThrownBy(
            () -> ListenerCounts.field(BaseTrainingListener.class, "x", AtomicLong.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("BaseTrainingListener has no field x of type AtomicLong")
        .hasMessageContaining("take the listener off");
  }
}

package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.RestoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.api.layers.RecurrentLayer;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** The bytes of what recurrent layers carry. */
class RecurrentStateTest {
  private final List<RecurrentLayer> layers =
      TrainedModel.of(TestNets.wrappedRecurrent()).recurrentLayers();

  @Test
  void nothingCarriedIsNoBytes() {
    assertThat(layers).hasSize(1);
    assertThat(RecurrentState.of(layers)).isEmpty();
  }

  @Test
  void bothKindsComeBack() {
    INDArray one = Nd4j.createFromArray(1f, 2f);
    INDArray two = Nd4j.createFromArray(3f, 4f);
    layers.get(0).rnnSetPreviousState(Map.of("a", one));
    layers.get(0).rnnSetTBPTTState(Map.of("b", two));
    byte[] bytes = RecurrentState.of(layers);
    layers.get(0).rnnClearPreviousState();

    RecurrentState.restore(bytes, layers);

    assertThat(layers.get(0).rnnGetPreviousState()).containsExactly(Map.entry("a", one));
    assertThat(layers.get(0).rnnGetTBPTTState()).containsExactly(Map.entry("b", two));
  }

  @Test
  void damagedBytesAreRefusedAndChangeNothing() {
    INDArray one = Nd4j.createFromArray(1f, 2f);
    layers.get(0).rnnSetPreviousState(Map.of("a", one));
    byte[] bytes = RecurrentState.of(layers);

    for (int length = 1; length < bytes.length; length++) {
      byte[] shorter = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> RecurrentState.restore(shorter, layers))
          .as("%d of %d bytes", length, bytes.length)
          .isInstanceOf(RestoreException.class);
    }
    byte[] otherLayer = bytes.clone();
    otherLayer[3] = 7;
    assertThatThrownBy(() -> RecurrentState.restore(otherLayer, layers))
        .isInstanceOf(RestoreException.class);
    assertThat(layers.get(0).rnnGetPreviousState()).containsExactly(Map.entry("a", one));
  }
}

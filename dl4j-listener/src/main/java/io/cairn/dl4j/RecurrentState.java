package io.cairn.dl4j;

import io.cairn.RestoreException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.deeplearning4j.nn.api.layers.RecurrentLayer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The activations that recurrent layers carry from one minibatch to the next. DL4J clears them
 * before each minibatch of truncated backpropagation, but not those of a wrapped layer in a graph,
 * such as a frozen one: its next minibatch begins with them. Stateless.
 *
 * <p>The encoding is big-endian, and empty without such activations. Each array has the index of
 * its layer among the recurrent ones (4 bytes), 1 for the state of truncated backpropagation or
 * else 0 (1 byte), its name (modified UTF-8), its length (4 bytes) and ND4J's bytes.
 */
final class RecurrentState {
  private RecurrentState() {}

  /** The present activations; empty if no layer carries any. */
  static byte[] of(List<RecurrentLayer> layers) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      for (int index = 0; index < layers.size(); index++) {
        write(index, false, layers.get(index).rnnGetPreviousState(), out);
        write(index, true, layers.get(index).rnnGetTBPTTState(), out);
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory takes all bytes", e);
    }
    return bytes.toByteArray();
  }

  private static void write(
      int layer, boolean truncated, Map<String, INDArray> carried, DataOutputStream out)
      throws IOException {
    for (Map.Entry<String, INDArray> array : new TreeMap<>(carried).entrySet()) {
      byte[] elements = Nd4j.toByteArray(array.getValue());
      out.writeInt(layer);
      out.writeBoolean(truncated);
      out.writeUTF(array.getKey());
      out.writeInt(elements.length);
      out.write(elements);
    }
  }

  /**
   * Replaces the activations of all layers.
   *
   * @throws RestoreException if the bytes are of other layers, or damaged
   */
  static void restore(byte[] bytes, List<RecurrentLayer> layers) {
    List<Map<String, INDArray>> previous =
        layers.stream().<Map<String, INDArray>>map(layer -> new HashMap<>()).toList();
    List<Map<String, INDArray>> truncated =
        layers.stream().<Map<String, INDArray>>map(layer -> new HashMap<>()).toList();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      while (in.available() > 0) {
        int layer = in.readInt();
        List<Map<String, INDArray>> kind = in.readBoolean() ? truncated : previous;
        kind.get(layer).put(in.readUTF(), array(in));
      }
    } catch (IOException | IndexOutOfBoundsException e) {
      RestoreException failure =
          new RestoreException(
              "the activations that recurrent layers carried cannot be read: " + e);
      failure.initCause(e);
      throw failure;
    }
    for (int index = 0; index < layers.size(); index++) {
      layers.get(index).rnnSetPreviousState(previous.get(index));
      layers.get(index).rnnSetTBPTTState(truncated.get(index));
    }
  }

  private static INDArray array(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("an array of " + length + " bytes in " + in.available());
    }
    return Nd4j.fromByteArray(in.readNBytes(length));
  }
}

package io.cairn.engine.sharing.holders;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A training that is nothing but state, a function of the group's name and the iteration: its bytes
 * show whether any step was lost or repeated, and whose they are.
 */
final class Training {
  static final int CHUNK_BYTES = 4096;

  private final int seed;
  private final long[] state;

  Training(String group, int chunks) {
    seed = group.hashCode();
    state = new long[chunks * CHUNK_BYTES / Long.BYTES];
  }

  /** The protected memory; the same array for the training's whole life. */
  long[] state() {
    return state;
  }

  void step(long iteration) {
    for (int i = 0; i < state.length; i++) {
      state[i] = state[i] * 6364136223846793005L + seed + iteration * i;
    }
  }

  /** As a bad step leaves it. */
  void spoil() {
    Arrays.fill(state, Double.doubleToRawLongBits(Double.NaN));
  }

  /** The bytes after an iteration of a training that nothing disturbed. */
  static ByteBuffer undisturbed(String group, int chunks, long iteration) {
    Training training = new Training(group, chunks);
    for (long i = 0; i <= iteration; i++) {
      training.step(i);
    }
    return training.bytes();
  }

  ByteBuffer bytes() {
    ByteBuffer bytes =
        ByteBuffer.allocate(state.length * Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.asLongBuffer().put(state);
    return bytes;
  }
}

package io.cairn.engine.runtime;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Region;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A training that is nothing but state: its result shows a step that was lost or repeated. */
final class Toy {
  final float[] weights = new float[5000];
  long counter;

  void protectBy(Checkpointer checkpointer) {
    checkpointer.protect(Region.of("weights", weights));
    checkpointer.protect(
        Region.of(
            "counter",
            () -> ByteBuffer.allocate(Long.BYTES).putLong(0, counter).array(),
            bytes -> counter = ByteBuffer.wrap(bytes).getLong()));
  }

  /** The state before the first iteration. */
  void startAfresh(long first) {
    counter = first;
    Arrays.fill(weights, 0);
  }

  void step(long iteration) {
    counter = counter * 31 + iteration;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = weights[i] * 0.99f + (counter % 1000) * 0.001f + i;
    }
  }

  /** Steps and checkpoints {@code from} to {@code to}, exclusive; the last ticket. */
  CheckpointTicket run(Checkpointer checkpointer, long from, long to) {
    CheckpointTicket last = null;
    for (long i = from; i < to; i++) {
      step(i);
      last = checkpointer.checkpoint(i);
      last.captured().join();
    }
    if (last == null) {
      throw new IllegalArgumentException("no iteration from " + from + " to " + to);
    }
    return last;
  }

  static Toy undisturbed(long iterations) {
    Toy toy = new Toy();
    for (long i = 0; i < iterations; i++) {
      toy.step(i);
    }
    return toy;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Toy that
        && counter == that.counter
        && Arrays.equals(weights, that.weights);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(counter);
  }

  @Override
  public String toString() {
    return "toy at " + counter;
  }
}

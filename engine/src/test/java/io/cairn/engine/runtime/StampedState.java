package io.cairn.engine.runtime;

import io.cairn.Checkpointer;
import io.cairn.Region;
import java.util.Arrays;

/** A state of 1.6 MB, of which every word is a function of the iteration. */
final class StampedState {
  /** The name of its region. */
  static final String REGION = "state";

  private static final int WORDS = 200_000;
  private static final long STEP = 0x9e3779b97f4a7c15L;

  final long[] words = new long[WORDS];

  /** The state after an iteration. */
  static StampedState of(long iteration) {
    StampedState state = new StampedState();
    state.stamp(iteration);
    return state;
  }

  void protectBy(Checkpointer checkpointer) {
    checkpointer.protect(Region.of(REGION, words));
  }

  /** Becomes the state after an iteration. */
  void stamp(long iteration) {
    long mixed = (iteration + 1) * STEP;
    for (int i = 0; i < words.length; i++) {
      mixed += STEP;
      words[i] = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StampedState that && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }
}

package io.cairn.engine.config;

import io.cairn.flush.format.Parts;

/**
 * How many containers a rank's checkpoint at STORE is divided into, which are written side by side.
 *
 * @param fixed their number; 0 chooses it by the length of the state
 */
public record WriterSettings(int fixed) {
  private static final long BYTES_PER_WRITER = 4L << 30;
  private static final long MOST_CHOSEN = 4;
  private static final int CHOSEN = 0;

  static final ValueType<Integer> WRITERS = ValueType.number(1, Parts.MOST).or("auto", CHOSEN);

  /**
   * The containers of a rank's checkpoint.
   *
   * @param stateBytes of all its regions
   */
  public int forState(long stateBytes) {
    return forState(stateBytes, Runtime.getRuntime().availableProcessors());
  }

  /** Like the other; a writer without a processor of its own is not chosen. */
  int forState(long stateBytes, int processors) {
    long most = Math.min(MOST_CHOSEN, processors);
    return fixed != CHOSEN
        ? fixed
        : (int) Math.min(most, 1 + Math.max(0, stateBytes - 1) / BYTES_PER_WRITER);
  }
}

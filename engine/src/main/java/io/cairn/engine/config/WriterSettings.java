package io.cairn.engine.config;

import io.cairn.flush.format.Parts;

/**
 * How many containers a rank's checkpoint at STORE is divided into, which are written side by side.
 *
 * @param fixed their number; 0 chooses it by the length of the state
 */
public record WriterSettings(int fixed) {
  /** The containers of one rank's checkpoint at STORE. */
  static final Setting STORE_WRITERS =
      new Setting(
          "store.writers",
          "auto",
          "Containers that STORE gets of each rank's checkpoint, written side by side, 1 to "
              + Parts.MOST
              + ". `auto`: one for each 4 GiB of the rank's state, 4 and one per processor at most."
              + " Each takes a thread, and memory for at most four chunks.");

  private static final long BYTES_PER_WRITER = 4L << 30;
  private static final long MOST_CHOSEN = 4;
  private static final int CHOSEN = 0;

  static WriterSettings of(SettingValues given) {
    if (given.text(STORE_WRITERS).equals("auto")) {
      return new WriterSettings(CHOSEN);
    }
    String expected = "auto, or 1 to " + Parts.MOST;
    long writers;
    try {
      writers = given.number(STORE_WRITERS);
    } catch (IllegalArgumentException e) {
      throw given.illegal(STORE_WRITERS, expected);
    }
    if (writers < 1 || writers > Parts.MOST) {
      throw given.illegal(STORE_WRITERS, expected);
    }
    return new WriterSettings((int) writers);
  }

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

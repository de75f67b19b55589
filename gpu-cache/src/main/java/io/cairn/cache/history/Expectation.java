package io.cairn.cache.history;

/**
 * The states that are still to come, as far as the program said. The ledger's monitor guards it.
 */
final class Expectation {
  /** More than any place has. */
  private static final long MANY = Long.MAX_VALUE / 4;

  private final int chunkBytes;
  private final int capacity;

  /** Steps that are still to be stored, or -1 if nobody said. */
  private long steps = -1;

  private long bytesPerStep;

  /**
   * Nothing is known.
   *
   * @param capacity of the device, in chunks
   */
  Expectation(int chunkBytes, int capacity) {
    this.chunkBytes = chunkBytes;
    this.capacity = capacity;
  }

  void set(long newSteps, long newBytesPerStep) {
    steps = newSteps;
    bytesPerStep = newBytesPerStep;
  }

  /** A state of so many chunks gets its room. */
  void begun(int chunks) {
    if (steps > 0) {
      steps--;
      bytesPerStep = Math.max(bytesPerStep, (long) chunks * chunkBytes);
    }
  }

  /**
   * Chunks that the states to come will take. If nobody said how many come, a quarter of the device
   * while the program stores, and none once it reads.
   */
  long chunks(boolean reading) {
    if (steps < 0) {
      return reading ? 0 : capacity / 4;
    }
    long perStep = (bytesPerStep + chunkBytes - 1) / chunkBytes;
    return perStep > 0 && steps > MANY / perStep ? MANY : perStep * steps;
  }
}

package io.cairn.adjoint.history;

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

  /** Of the steps that are still to be stored, if the program said the right number of bytes. */
  private long chunksLeft;

  /** The least chunks of a state since the program said what comes; 0 before the first. */
  private int least;

  /**
   * Nothing is known.
   *
   * @param capacity of the device, in chunks
   */
  Expectation(int chunkBytes, int capacity) {
    this.chunkBytes = chunkBytes;
    this.capacity = capacity;
  }

  void set(long newSteps, long bytesPerStep) {
    steps = newSteps;
    long perStep = (bytesPerStep + chunkBytes - 1) / chunkBytes;
    chunksLeft = perStep > 0 && steps > MANY / perStep ? MANY : perStep * steps;
    least = 0;
  }

  /** A state of so many chunks gets its room. */
  void begun(int chunks) {
    if (steps > 0) {
      steps--;
      chunksLeft -= chunks;
      least = least == 0 ? chunks : Math.min(least, chunks);
    }
  }

  /**
   * Chunks that the states to come will take: those that the program announced, less those that
   * came, but never less than if all were as small as the smallest so far. If nobody said how many
   * come, a quarter of the device while the program stores, and none once it reads.
   */
  long chunks(boolean reading) {
    if (steps < 0) {
      return reading ? 0 : capacity / 4;
    }
    return Math.max(chunksLeft, Math.min(steps, Integer.MAX_VALUE) * least);
  }
}

package io.cairn.core.cadence;

/**
 * Fixed periods in iterations, counted from iteration 0. Iteration 0 is due at every level, so a
 * store that does not work is noticed at once and not after hours.
 *
 * @param deviceEvery 1 captures every iteration
 * @param nodeEvery a multiple of {@code deviceEvery}
 * @param storeEvery a multiple of {@code nodeEvery}
 */
public record FixedCadence(long deviceEvery, long nodeEvery, long storeEvery) {
  /** Every iteration at DEVICE, every 10th at NODE, every 50th at STORE. */
  public static final FixedCadence DEFAULT = new FixedCadence(1, 10, 50);

  /** Checks that each period is a multiple of that of the level below. */
  public FixedCadence {
    if (deviceEvery < 1 || nodeEvery < 1 || storeEvery < 1) {
      throw new IllegalArgumentException(
          "cadence periods are at least 1: device "
              + deviceEvery
              + ", node "
              + nodeEvery
              + ", store "
              + storeEvery);
    }
    if (nodeEvery % deviceEvery != 0 || storeEvery % nodeEvery != 0) {
      throw new IllegalArgumentException(
          "each level reads from the one below: node.every ("
              + nodeEvery
              + ") must be a multiple of device.every ("
              + deviceEvery
              + ") and store.every ("
              + storeEvery
              + ") of node.every");
    }
  }
}

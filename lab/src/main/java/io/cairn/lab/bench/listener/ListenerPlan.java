package io.cairn.lab.bench.listener;

import java.util.List;

/**
 * How large a run of {@link ListenerBenchmark} is.
 *
 * @param widths of the network's layers, inputs first
 * @param batch samples per minibatch
 * @param iterations measured per mode, but for CheckpointListener's
 * @param saves iterations measured with CheckpointListener, which saves nothing in the first one
 * @param block iterations before another mode takes its turn
 * @param nodeEvery cadence at NODE
 * @param storeEvery cadence at STORE
 * @param chunkBytes of the device cache
 * @param compiling iterations of a small network before, so that the compiler has seen what runs
 *     once per iteration: a training of days is past its first minute
 */
record ListenerPlan(
    List<Integer> widths,
    int batch,
    int iterations,
    int saves,
    int block,
    int nodeEvery,
    int storeEvery,
    int chunkBytes,
    int compiling) {
  /** Iterations of each mode before any is measured. */
  static final int WARM_UP = 3;

  ListenerPlan {
    widths = List.copyOf(widths);
    if (iterations + WARM_UP <= storeEvery) {
      throw new IllegalArgumentException(
          "with "
              + iterations
              + " iterations no checkpoint reaches STORE, where every "
              + storeEvery
              + "th goes: use more than "
              + (storeEvery - WARM_UP));
    }
    if (saves < 2) {
      throw new IllegalArgumentException(
          "saves: " + saves + ", must be at least 2: CheckpointListener skips the first iteration");
    }
  }

  /** 19.8 million parameters at the default cadence. */
  static ListenerPlan full(int iterations, int saves) {
    return new ListenerPlan(
        List.of(1024, 4096, 3584, 256), 32, iterations, saves, 5, 10, 50, 4 << 20, 2000);
  }

  /** The plan of the small network, with as many chunks per checkpoint. */
  ListenerPlan small() {
    return new ListenerPlan(
        List.of(128, 512, 256, 16), 4, compiling, saves, block, nodeEvery, storeEvery, 64 << 10, 0);
  }

  /** Turns of each mode. */
  int rounds() {
    return (iterations + block - 1) / block;
  }

  /** How many of the saves fall into a round; they are spread evenly. */
  int savesIn(int round) {
    return (round + 1) * saves / rounds() - round * saves / rounds();
  }
}

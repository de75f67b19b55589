package io.cairn.lab.cluster;

import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.FixedCadence;
import io.cairn.core.model.Level;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The settings of all processes of one seed.
 *
 * @param keep checkpoints kept at NODE and STORE
 * @param queueBytes of each stage
 * @param nodesServed whether processes read from the nodes of other machines
 * @param peer whether other machines keep copies; only if nodes are served
 * @param maxLayers older checkpoints that one leans on, at NODE and STORE
 */
record Settings(
    FixedCadence periods,
    int keep,
    long queueBytes,
    boolean nodesServed,
    boolean peer,
    int maxLayers) {
  static final int CHUNK_BYTES = 256;
  static final int CACHE_BYTES = 64 * CHUNK_BYTES;
  static final Duration NODE_EXPIRY = Duration.ofDays(7);
  static final Duration STORE_PATIENCE = Duration.ofSeconds(5);
  static final Duration JOIN_TIMEOUT = Duration.ofSeconds(20);
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  static Settings draw(SplittableRandom random) {
    long node = random.nextLong(1, 4);
    long times = random.nextLong(1, 4);
    int keep = 1 + random.nextInt(2);
    long queueBytes = random.nextInt(3) == 0 ? 2_000 : 1 << 20;
    boolean nodesServed = random.nextBoolean();
    return new Settings(
        new FixedCadence(1, node, node * times),
        keep,
        queueBytes,
        nodesServed,
        nodesServed && random.nextBoolean(),
        times == 2 ? keep + 1 : 0);
  }

  /** Whether checkpoints lean on older ones. */
  boolean layered() {
    return maxLayers > 0;
  }

  /** The same, without a process that reads from other machines. */
  Settings alone() {
    return new Settings(periods, keep, queueBytes, false, false, maxLayers);
  }

  CadencePolicy cadence() {
    CadencePolicy fixed = CadencePolicy.fixed(periods);
    return peer ? fixed.startingWith(Level.PEER, periods.nodeEvery()) : fixed;
  }

  /** The checkpoints of a group that NODE keeps when nothing is on its way. */
  int keptAtNode() {
    return peer ? 2 * keep : keep;
  }
}

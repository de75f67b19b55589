package io.cairn.lab.bench.small;

import io.cairn.Cairn;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How a training checkpoints. */
enum Mode {
  /** The defaults: the cadence follows from measured costs. The training waits for its copies. */
  ADAPTIVE(false, false),

  /** Every iteration, and the training waits for its copies. */
  EVERY(true, false),

  /** Every iteration, and the copy goes on while the training computes. */
  BESIDE(true, true);

  private final boolean every;
  private final boolean beside;

  Mode(boolean every, boolean beside) {
    this.every = every;
    this.beside = beside;
  }

  /** Whether copies go on beside the training. */
  boolean beside() {
    return beside;
  }

  /** Checkpointing in these directories, which nothing else uses. */
  Cairn open(Scratch scratch) throws IOException {
    Map<String, String> all = new TreeMap<>();
    if (every) {
      all.put("device.every", "1");
    }
    String own = name().toLowerCase(Locale.ROOT);
    all.put("job", "bench-small");
    all.put("store", scratch.onDisk("store-" + own).toString());
    all.put("node.dir", scratch.inMemory("node-" + own).toString());
    all.put("device.dir", scratch.inMemory("device-" + own).toString());
    return Cairn.open(all);
  }
}

package io.cairn.lab.site;

import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.Cairn;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.lab.bench.flush.SlowStore;
import java.io.IOException;

/** Opens Cairn for a program of a page, in a process of its own. */
public final class PageStores {
  static final String SLOW = "page.slow";
  static final String DIES_AT = "page.diesAt";
  private static final double BYTES_PER_SECOND = 1e6;

  private PageStores() {}

  /** As {@link Cairn#open(CairnConfig)}, if the process's properties say so with a slow store. */
  public static Cairn open(CairnConfig config) throws IOException {
    if (!Boolean.getBoolean(SLOW)) {
      return Cairn.open(config);
    }
    SlowStore store = new SlowStore(CheckpointStores.open(config.store()));
    store.limit(BYTES_PER_SECOND);
    return Cairn.open(config, store);
  }

  /** Ends the process as a kill does, if its properties name this iteration. */
  public static void computed(long iteration) {
    if (iteration == Long.getLong(DIES_AT, -1)) {
      Runtime.getRuntime().halt(9);
    }
  }
}

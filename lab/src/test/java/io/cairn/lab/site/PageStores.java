package io.cairn.lab.site;

import io.cairn.Cairn;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.lab.bench.flush.SlowStore;
import java.io.IOException;
import java.util.Map;

/** Opens Cairn for a program of a page, in a process of its own. */
public final class PageStores {
  static final String SLOW = "page.slow";
  static final String DIES_AT = "page.diesAt";
  private static final double BYTES_PER_SECOND = 1e6;

  private PageStores() {}

  /** As {@link Cairn#open}, if the process's properties say so with a slow store. */
  public static Cairn open(Map<String, String> settings) throws IOException {
    CairnConfig config = CairnConfig.of(settings);
    if (!Boolean.getBoolean(SLOW)) {
      return CairnEngine.open(config);
    }
    SlowStore store = new SlowStore(CheckpointStores.open(config.store()));
    store.limit(BYTES_PER_SECOND);
    return CairnEngine.open(config, store);
  }

  /** Ends the process as a kill does, if its properties name this iteration. */
  public static void computed(long iteration) {
    if (iteration == Long.getLong(DIES_AT, -1)) {
      Runtime.getRuntime().halt(9);
    }
  }
}

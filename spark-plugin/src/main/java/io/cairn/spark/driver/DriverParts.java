package io.cairn.spark.driver;

import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.sharing.desk.SharingDesk;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that the driver opens for ranks: the store, the desk, coordinators and the port.
 * Immutable.
 *
 * @param settings of executors, by name, with those that the driver adds
 */
record DriverParts(
    CairnConfig config,
    CheckpointStore store,
    SharingDesk desk,
    DriverGroups groups,
    @Nullable DriverPort port,
    Map<String, String> settings)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverParts.class);

  /** Without the settings, one of which is secret. */
  @Override
  public String toString() {
    return "the driver's part of job " + config.job();
  }

  @Override
  public void close() {
    if (port != null) {
      port.close();
    }
    desk.close();
    try {
      store.close();
    } catch (IOException e) {
      LOG.warn("The store was not closed in order", e);
    }
  }
}

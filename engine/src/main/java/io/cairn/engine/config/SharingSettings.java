package io.cairn.engine.config;

import io.cairn.core.flow.Topology;
import io.cairn.core.flow.topology.PresetNames;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The settings for sharing device memory.
 *
 * @param on whether executors lend and borrow
 * @param hostBytes host memory per process for chunks that fit no device
 * @param topology name of a preset that describes every machine; empty if each machine is probed
 * @param window how long groups of one are collected for one plan
 * @param patience how long a checkpoint waits at least for its plan, and then for its lenders
 * @param silence without any message after which a peer on another machine counts as dead
 * @param port first port that an executor tries to serve at; 0 for any free one
 */
public record SharingSettings(
    boolean on,
    long hostBytes,
    String topology,
    Duration window,
    Duration patience,
    Duration silence,
    int port) {

  /** What executors share with each other. */
  enum With {
    /** Memory of devices, and copies at NODE. */
    ON,
    /** Memory of devices. */
    DEVICE,
    /** Copies at NODE. */
    NODE,
    /** Nothing. */
    OFF;

    /** Whether they lend device memory. */
    boolean ofDevices() {
      return this == ON || this == DEVICE;
    }

    /** Whether they serve copies at NODE. */
    boolean ofNodes() {
      return this == ON || this == NODE;
    }
  }

  static SharingSettings of(SettingValues given) {
    return new SharingSettings(
        given.get(Setting.SHARING).ofDevices(),
        given.get(Setting.CACHE_SIZE.at("host")),
        given.get(Setting.TOPOLOGY),
        given.get(Setting.SHARING_WINDOW),
        given.get(Setting.SHARING_PATIENCE),
        given.get(Setting.SHARING_SILENCE),
        given.get(Setting.PORT.at("executor")));
  }

  /**
   * The values of the JVM's properties, by name. Driver and executors read them apart, and each
   * uses a part of them.
   */
  public SortedMap<String, Duration> properties() {
    return new TreeMap<>(
        Map.of(
            Setting.SHARING_WINDOW.name(),
            window,
            Setting.SHARING_PATIENCE.name(),
            patience,
            Setting.SHARING_SILENCE.name(),
            silence));
  }

  /** The topology of every machine; empty if none is configured. */
  public Optional<Topology> everywhere() {
    return topology.isEmpty()
        ? Optional.empty()
        : Optional.of(PresetNames.machine(topology).topology());
  }
}

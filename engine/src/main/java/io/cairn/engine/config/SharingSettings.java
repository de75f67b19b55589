package io.cairn.engine.config;

import io.cairn.core.flow.Topology;
import io.cairn.core.flow.topology.PresetNames;
import java.time.Duration;
import java.util.Optional;

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

  static SharingSettings of(SettingValues given) {
    SharingSettings settings =
        new SharingSettings(
            given.isOn(Setting.SHARING),
            given.bytes(Setting.HOST_CACHE),
            given.text(Setting.TOPOLOGY),
            positive(given, Setting.SHARING_WINDOW),
            positive(given, Setting.SHARING_PATIENCE),
            positive(given, Setting.SHARING_SILENCE),
            given.port(Setting.SHARING_PORT));
    settings.everywhere(given);
    return settings;
  }

  private static Duration positive(SettingValues given, Setting setting) {
    Duration time = given.duration(setting);
    if (time.isZero()) {
      throw given.illegal(setting, "a time above 0");
    }
    return time;
  }

  private void everywhere(SettingValues given) {
    try {
      everywhere();
    } catch (IllegalArgumentException e) {
      throw given.illegal(Setting.TOPOLOGY, "a preset: " + e.getMessage());
    }
  }

  /** The topology of every machine; empty if none is configured. */
  public Optional<Topology> everywhere() {
    return topology.isEmpty()
        ? Optional.empty()
        : Optional.of(PresetNames.machine(topology).topology());
  }
}

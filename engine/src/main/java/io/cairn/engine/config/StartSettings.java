package io.cairn.engine.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The settings that a Spark application needs before its first join. Checks all that are
 * configured, and loads few classes. {@link CairnConfig} has the rest. Immutable.
 *
 * @param storeAtStart whether the application opens Cairn at its start, and not at a join
 * @param storePatience how long joins and restores try a store that fails
 * @param standbys tasks that wait to take the rank of a lost executor over, per stage of ranks
 * @param serves whether executors share anything with each other
 */
public record StartSettings(
    String job, boolean storeAtStart, Duration storePatience, int standbys, boolean serves) {
  /** Settings whose legal values depend on other settings. */
  private static final List<Setting<?>> RELATED = new ArrayList<>(Setting.EVERY.each());

  static {
    RELATED.addAll(
        List.of(
            Setting.PEER,
            Setting.STAGING,
            Setting.COORDINATOR,
            Setting.CHUNK_SIZE,
            Setting.CACHE_SIZE.at("device")));
  }

  /**
   * Reads settings by name, without a prefix.
   *
   * @throws IllegalArgumentException naming the setting that is unknown or whose value is not legal
   */
  public static StartSettings of(Map<String, String> values) {
    SettingValues given = CairnConfig.settings(values, CairnConfig.ofJvm());
    boolean related = false;
    for (String value : values.values()) {
      related |= value.isBlank(); // some may be, such as the store
    }
    for (Setting<?> each : Setting.all()) {
      related |= given.find(each).isPresent() && RELATED.contains(each);
    }
    if (related) {
      var unused = CairnConfig.of(values);
    }
    return new StartSettings(
        given.get(Setting.JOB),
        given.get(Setting.STORE_REQUIRED),
        given.get(Setting.PATIENCE.at("store")),
        given.get(Setting.STANDBY),
        given.get(Setting.SHARING) != SharingSettings.With.OFF);
  }
}

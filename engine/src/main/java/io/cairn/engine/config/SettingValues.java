package io.cairn.engine.config;

import io.cairn.Level;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The configured values, by the names of their settings. Each method throws {@link
 * IllegalArgumentException} if a value is not legal; the message names the setting, its value and
 * legal ones.
 */
record SettingValues(Map<String, String> values) {
  /** The configured value, or the default. */
  <T> T get(Setting<T> setting) {
    return setting.parse(text(setting));
  }

  /** The value; empty if it is not configured, or blank. */
  <T> Optional<T> find(Setting<T> setting) {
    return has(setting) ? Optional.of(get(setting)) : Optional.empty();
  }

  /** Whether the setting is configured. */
  boolean has(Setting<?> setting) {
    return !values.getOrDefault(setting.name(), "").isBlank();
  }

  /** The values of all names of an open setting, by their keys; blank ones count as none. */
  <T> Map<String, T> each(Setting<T> setting) {
    Map<String, T> each = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          if (!value.isBlank()) {
            setting.key(name).ifPresent(key -> each.put(key, setting.parse(value.strip())));
          }
        });
    return each;
  }

  /** The configured values, or the defaults, of the levels that have the setting. */
  <T> Map<Level, T> byLevel(PlacedSetting<T> setting) {
    Map<Level, T> found = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      setting.find(level).ifPresent(own -> found.put(level, get(own)));
    }
    return found;
  }

  IllegalArgumentException illegal(Setting<?> setting, String expected) {
    return setting.illegal(text(setting), "give " + expected);
  }

  private String text(Setting<?> setting) {
    return values.getOrDefault(setting.name(), setting.defaultValue()).strip();
  }
}

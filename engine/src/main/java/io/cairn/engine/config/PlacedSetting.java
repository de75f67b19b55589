package io.cairn.engine.config;

import io.cairn.Level;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A setting that each of several places has, such as {@code node.every} and {@code store.every}.
 * Immutable.
 *
 * @param each one for each place
 */
public record PlacedSetting<T>(List<Setting<T>> each) {
  /** The one of a level. */
  public Setting<T> at(Level level) {
    return find(level).orElseThrow();
  }

  /** The one of a level, if the level has one. */
  Optional<Setting<T>> find(Level level) {
    return find(level.name().toLowerCase(Locale.ROOT));
  }

  /** The one of a place, which is the first word of its name. */
  Setting<T> at(String place) {
    return find(place).orElseThrow();
  }

  private Optional<Setting<T>> find(String place) {
    for (Setting<T> setting : each) {
      if (setting.name().startsWith(place + ".")) {
        return Optional.of(setting);
      }
    }
    return Optional.empty();
  }
}

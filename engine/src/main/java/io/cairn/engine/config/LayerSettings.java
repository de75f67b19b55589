package io.cairn.engine.config;

import io.cairn.Level;
import io.cairn.flush.format.Leaning;
import java.io.IOException;
import java.util.Map;

/**
 * How many older checkpoints one may lean on for chunks that did not change. Immutable.
 *
 * @param byLevel of each level that has a setting; 0 writes every checkpoint whole
 */
public record LayerSettings(Map<Level, Integer> byLevel) {
  /** Copies the map. */
  public LayerSettings {
    byLevel = Map.copyOf(byLevel);
  }

  static LayerSettings of(SettingValues given) {
    return new LayerSettings(given.byLevel(Setting.LAYERS));
  }

  /** How many older checkpoints one may lean on at a level. */
  public int at(Level level) {
    return byLevel.getOrDefault(level, 0);
  }

  /**
   * Loads the library of hashes if it is needed.
   *
   * @throws IOException if it is absent; the message names it
   */
  public void requireLibrary() throws IOException {
    if (byLevel.values().stream().anyMatch(layers -> layers > 0)) {
      Leaning.requireLibrary();
    }
  }
}

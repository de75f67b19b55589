package io.cairn.engine.config;

import io.cairn.Compression;
import io.cairn.Level;
import io.cairn.flush.codec.Encodings;
import java.io.IOException;
import java.util.Map;

/**
 * How chunks are compressed. Immutable.
 *
 * @param byLevel of each level that has a setting
 * @param regions those that are treated otherwise
 */
public record CodecSettings(Map<Level, Compression> byLevel, RegionSettings regions) {
  /** Copies the map. */
  public CodecSettings {
    byLevel = Map.copyOf(byLevel);
  }

  static CodecSettings of(SettingValues given) {
    return new CodecSettings(given.byLevel(Setting.CODEC), RegionSettings.of(given));
  }

  /** How chunks are compressed at a level. */
  public Compression at(Level level) {
    return byLevel.getOrDefault(level, Compression.NONE);
  }

  /**
   * Loads the libraries that they need.
   *
   * @throws IOException if one is absent; the message names the setting and the library
   */
  public void requireLibraries() throws IOException {
    for (Map.Entry<Level, Compression> each : byLevel.entrySet()) {
      require(Setting.CODEC.at(each.getKey()), each.getValue());
    }
    for (Compression own : regions.codecs().values()) {
      require(Setting.REGION_CODEC, own);
    }
  }

  private static void require(Setting<?> setting, Compression compression) throws IOException {
    try {
      Encodings.requireLibraries(compression);
    } catch (IOException e) {
      throw new IOException(
          "%s = %s: %s".formatted(setting.name(), compression.label(), e.getMessage()), e);
    }
  }
}

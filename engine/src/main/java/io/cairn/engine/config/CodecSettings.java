package io.cairn.engine.config;

import io.cairn.Compression;
import io.cairn.Level;
import io.cairn.flush.codec.Encodings;
import java.io.IOException;

/**
 * How chunks are compressed.
 *
 * @param node at NODE
 * @param store at STORE
 * @param regions those that are treated otherwise
 */
public record CodecSettings(Compression node, Compression store, RegionSettings regions) {
  static CodecSettings of(SettingValues given) {
    return new CodecSettings(
        given.get(Setting.CODEC.at(Level.NODE)),
        given.get(Setting.CODEC.at(Level.STORE)),
        RegionSettings.of(given));
  }

  /**
   * Loads the libraries that they need.
   *
   * @throws IOException if one is absent; the message names the setting and the library
   */
  public void requireLibraries() throws IOException {
    require(Setting.CODEC.at(Level.NODE), node);
    require(Setting.CODEC.at(Level.STORE), store);
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

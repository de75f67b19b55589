package io.cairn.engine.config;

import io.cairn.Compression;
import io.cairn.flush.codec.Encodings;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;

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
        compression(given, Setting.NODE_CODEC),
        compression(given, Setting.STORE_CODEC),
        RegionSettings.of(given));
  }

  private static Compression compression(SettingValues given, Setting setting) {
    return Compression.of(given.text(setting))
        .orElseThrow(
            () ->
                given.illegal(
                    setting,
                    Arrays.stream(Compression.values())
                        .map(Compression::label)
                        .collect(Collectors.joining(", "))));
  }

  /**
   * Loads the libraries that they need.
   *
   * @throws IOException if one is absent; the message names the setting and the library
   */
  public void requireLibraries() throws IOException {
    require(Setting.NODE_CODEC, node);
    require(Setting.STORE_CODEC, store);
    for (Compression own : regions.codecs().values()) {
      require(RegionSettings.CODEC, own);
    }
  }

  private static void require(Setting setting, Compression compression) throws IOException {
    try {
      Encodings.requireLibraries(compression);
    } catch (IOException e) {
      throw new IOException(
          "%s = %s: %s".formatted(setting.name(), compression.label(), e.getMessage()), e);
    }
  }
}

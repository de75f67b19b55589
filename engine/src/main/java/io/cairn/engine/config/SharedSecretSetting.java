package io.cairn.engine.config;

import java.util.Locale;
import java.util.Optional;

/** Settings that are secrets of several processes. Stateless; no message shows a secret. */
public final class SharedSecretSetting {
  private static final int LEAST_CHARACTERS = 16;

  private SharedSecretSetting() {}

  /** The secret; empty if none is configured. */
  static Optional<String> of(SettingValues given, Setting setting) {
    return given.has(setting)
        ? Optional.of(require(given.text(setting), "setting " + setting.name()))
        : Optional.empty();
  }

  /**
   * Requires a secret that is long enough.
   *
   * @param where it comes from, for the message
   * @return the secret
   * @throws IllegalArgumentException if it is too short
   */
  public static String require(String secret, String where) {
    if (secret.length() < LEAST_CHARACTERS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s is shorter than %d characters: give a longer one",
              where,
              LEAST_CHARACTERS));
    }
    return secret;
  }
}

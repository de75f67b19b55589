package io.cairn.engine.config;

import java.util.Locale;

/** Settings that are secrets of several processes. Stateless; no message shows a secret. */
public final class SharedSecretSetting {
  private static final int LEAST_CHARACTERS = 16;

  private SharedSecretSetting() {}

  /** A secret that is long enough. */
  static final ValueType<String> SECRET =
      ValueType.TEXT
          .where(
              text -> text.length() >= LEAST_CHARACTERS,
              "at least " + LEAST_CHARACTERS + " characters")
          .withoutShowing();

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

package io.cairn.engine.config;

/** Settings that are secrets of several processes. Stateless; no message shows a secret. */
final class SharedSecretSetting {
  private static final int LEAST_CHARACTERS = 16;

  private SharedSecretSetting() {}

  /** A secret that is long enough. */
  static final ValueType<String> SECRET =
      ValueType.TEXT
          .where(
              text -> text.length() >= LEAST_CHARACTERS,
              "at least " + LEAST_CHARACTERS + " characters")
          .withoutShowing();
}

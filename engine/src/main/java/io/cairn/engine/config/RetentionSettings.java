package io.cairn.engine.config;

import io.cairn.flush.commit.RetentionPolicy;

/** Which checkpoints are kept. Stateless. */
final class RetentionSettings {
  /** How many checkpoints are retained. */
  static final Setting KEEP =
      new Setting("keep", "2", "Checkpoints kept per group and level; older ones are deleted.");

  /** Which older checkpoints STORE keeps. */
  static final Setting STORE_KEEP_EVERY =
      new Setting(
          "store.keepEvery",
          "0",
          "STORE also keeps the first checkpoint of each so many iterations, to evaluate it or to"
              + " go far back. 0: none. Each seal at STORE lists each of them once.");

  /** How many of the best STORE keeps. */
  static final Setting STORE_KEEP_BEST =
      new Setting(
          "store.keepBest",
          "0",
          "STORE also keeps so many checkpoints with the best scores, which the training gives them"
              + " by `Checkpointer.score` or `CairnListener.scoredBy`. 0: none.");

  /** Which score is the best. */
  static final Setting STORE_BEST_SCORE =
      new Setting(
          "store.bestScore",
          "lowest",
          "`lowest`: the lowest score is the best, as of a loss. `highest`: as of an accuracy.");

  /** How long STORE keeps each checkpoint. */
  static final Setting STORE_KEEP_YOUNGER =
      new Setting(
          "store.keepYounger",
          "0s",
          "STORE also keeps the checkpoints that were sealed less than this before the newest, such"
              + " as `6h`. A pause between two epochs counts up to a tenth of it. 0s: none. Each"
              + " seal at STORE lists each of them once.");

  private RetentionSettings() {}

  /** The policy of STORE; the other levels keep the newest alone. */
  static RetentionPolicy of(SettingValues given) {
    return RetentionPolicy.newest(number(given, KEEP, 1))
        .andEvery(atLeast(given, STORE_KEEP_EVERY, 0))
        .andBest(number(given, STORE_KEEP_BEST, 0), bestScore(given))
        .andYounger(given.duration(STORE_KEEP_YOUNGER));
  }

  private static int number(SettingValues given, Setting setting, int least) {
    return (int) Math.min(Integer.MAX_VALUE, atLeast(given, setting, least));
  }

  private static long atLeast(SettingValues given, Setting setting, int least) {
    long number = given.number(setting);
    if (number < least) {
      throw given.illegal(setting, least + " or more");
    }
    return number;
  }

  private static RetentionPolicy.Order bestScore(SettingValues given) {
    return switch (given.text(STORE_BEST_SCORE)) {
      case "lowest" -> RetentionPolicy.Order.LOWEST;
      case "highest" -> RetentionPolicy.Order.HIGHEST;
      default -> throw given.illegal(STORE_BEST_SCORE, "lowest or highest");
    };
  }
}

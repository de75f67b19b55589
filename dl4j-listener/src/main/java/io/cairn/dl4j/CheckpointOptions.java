package io.cairn.dl4j;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of DL4J's {@code CheckpointListener}, and the settings of Cairn that they stand for.
 * Immutable.
 *
 * @param iterations period in iterations; 0 without one
 * @param epochs period in epochs; 0 without one
 * @param millis age of the newest checkpoint at which another one is saved; 0 without a bound
 * @param last newest checkpoints that are kept; 0 for all
 * @param every of how many checkpoints one is kept as well; 0 for none
 * @param logged whether the log reports each saved checkpoint
 * @param deleting whether earlier checkpoints are deleted
 */
record CheckpointOptions(
    int iterations,
    int epochs,
    long millis,
    int last,
    int every,
    boolean logged,
    boolean deleting) {
  /** The options of a new builder. */
  static final CheckpointOptions NONE = new CheckpointOptions(0, 0, 0, 0, 0, true, false);

  /** A period that no training reaches, and that is a multiple of short ones. */
  private static final int NEVER = 1 << 30;

  CheckpointOptions everyIterations(int n) {
    require("saveEveryNIterations", n);
    return new CheckpointOptions(n, epochs, millis, last, every, logged, deleting);
  }

  CheckpointOptions everyEpochs(int n) {
    require("saveEveryNEpochs", n);
    return new CheckpointOptions(iterations, n, millis, last, every, logged, deleting);
  }

  CheckpointOptions everyMillis(long ms) {
    require("saveEvery, in milliseconds", ms);
    return new CheckpointOptions(iterations, epochs, ms, last, every, logged, deleting);
  }

  /** Keeps all with 0 and 0. */
  CheckpointOptions keeping(int newest, int ofEvery) {
    if (newest < 0 || ofEvery < 0 || (newest == 0 && ofEvery > 0)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "keepLast %d and every %d: give at least 1", newest, ofEvery));
    }
    return new CheckpointOptions(iterations, epochs, millis, newest, ofEvery, logged, deleting);
  }

  CheckpointOptions logging(boolean log) {
    return new CheckpointOptions(iterations, epochs, millis, last, every, log, deleting);
  }

  CheckpointOptions deleting(boolean delete) {
    return new CheckpointOptions(iterations, epochs, millis, last, every, logged, delete);
  }

  private static void require(String option, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + " is " + value + ": give at least 1");
    }
  }

  /**
   * The settings of these options.
   *
   * @throws IllegalStateException if nothing would be saved
   * @throws IllegalArgumentException if no setting does what an option asks for
   */
  Map<String, String> settings() {
    if (iterations == 0 && epochs == 0 && millis == 0) {
      throw new IllegalStateException(
          "nothing would be saved: call saveEveryNIterations, saveEveryNEpochs or saveEvery");
    }
    Map<String, String> settings = new TreeMap<>();
    String period = String.valueOf(iterations == 0 ? NEVER : iterations);
    settings.put("store.every", period);
    // the directory holds NODE as well, so a copy there brings nothing sooner
    settings.put("node.every", period);
    if (millis > 0) {
      settings.put("store.within", millis + "ms");
    }
    settings.putAll(retention());
    return settings;
  }

  /**
   * Rules of the setting {@code keep}: without the options' own ones, a user who adds a rule would
   * lose what the options keep.
   *
   * @param ofUser replaces rules of the same name; null if the user gave none
   */
  static String rules(String ofOptions, @Nullable String ofUser) {
    Map<String, String> rules = new TreeMap<>();
    for (String text : List.of(ofOptions, ofUser == null ? "" : ofUser)) {
      for (String rule : text.isBlank() ? new String[0] : text.split(",", -1)) {
        int colon = rule.indexOf(':');
        rules.put(
            colon < 0 ? "newest" : rule.substring(0, colon).strip(), rule.substring(colon + 1));
      }
    }
    return rules.entrySet().stream()
        .map(rule -> rule.getKey() + ":" + rule.getValue().strip())
        .collect(Collectors.joining(","));
  }

  private Map<String, String> retention() {
    if (last == 0) {
      return Map.of("keep", "younger:36500d");
    } else if (every == 0) {
      return Map.of("keep", "newest:" + last);
    } else if (iterations == 0) {
      throw new IllegalArgumentException(
          "keepLastAndEvery without saveEveryNIterations: Cairn keeps one checkpoint of each window"
              + " of iterations, so it cannot count saves by epoch or time. Call"
              + " saveEveryNIterations as well, or set(\"keep\", \"newest:2,every:1000\")");
    }
    return Map.of(
        "keep", "newest:" + last + ",every:" + Math.multiplyExact((long) iterations, every));
  }
}

package io.cairn.engine.config;

import io.cairn.flush.commit.RetentionPolicy;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Which checkpoints are kept. Stateless. */
final class RetentionSettings {
  private static final int NEWEST = 2;
  private static final int MOST = Integer.MAX_VALUE;

  /** The policy of STORE; the other levels keep the newest alone. */
  static final ValueType<RetentionPolicy> RULES =
      new ValueType<>(
          "rules such as newest:2,lowest:3,every:1000,younger:6h", RetentionSettings::parse);

  private RetentionSettings() {}

  private static Optional<RetentionPolicy> parse(String text) {
    RetentionPolicy policy = RetentionPolicy.newest(NEWEST);
    Set<String> named = new HashSet<>();
    for (String rule : text.split(",", -1)) {
      int colon = rule.indexOf(':');
      boolean isNumber = colon < 0 && rule.strip().matches("[+-]?\\d+");
      String name = isNumber ? "newest" : rule.substring(0, Math.max(0, colon)).strip();
      String value = rule.substring(colon + 1).strip();
      if (!named.add(name.equals("highest") ? "lowest" : name)) {
        throw new IllegalArgumentException("give each rule once, and either lowest or highest");
      }
      switch (name) {
        case "newest" -> policy = policy.withNewest(value(name, value, ValueType.number(1, MOST)));
        case "lowest" -> policy = policy.andBest(best(name, value), RetentionPolicy.Order.LOWEST);
        case "highest" -> policy = policy.andBest(best(name, value), RetentionPolicy.Order.HIGHEST);
        case "every" -> policy = policy.andEvery(value(name, value, ValueType.atLeast(0)));
        case "younger" -> policy = policy.andYounger(value(name, value, ValueType.TIME));
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.of(policy);
  }

  private static int best(String name, String value) {
    return value(name, value, ValueType.number(0, MOST));
  }

  private static <T> T value(String rule, String text, ValueType<T> type) {
    return type.parse()
        .apply(text)
        .orElseThrow(
            () -> new IllegalArgumentException("give " + type.expected() + " for " + rule));
  }
}

package io.cairn.engine.config;

import io.cairn.flush.store.StoreBlocks;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The configured values, parsed. Each method throws {@link IllegalArgumentException} if a value is
 * not legal; the message names the setting, its value and a legal example.
 */
record SettingValues(Map<String, String> values) {
  private static final int MOST_PORT = 65_535;
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

  /** Its nanoseconds fit a long. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private static final Pattern PART = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,9})?)\\s*(%?)");

  private static final Pattern URI_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/");

  /** Whether the setting is configured. */
  boolean has(Setting setting) {
    return !values.getOrDefault(setting.name(), "").isBlank();
  }

  String text(Setting setting) {
    return setting.in(values);
  }

  /** Names that are separated by commas; none if the value is empty. */
  Set<String> names(Setting setting) {
    Set<String> names = new TreeSet<>();
    for (String name : text(setting).split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.strip());
      }
    }
    return names;
  }

  ResumePolicy resume() {
    return switch (text(Setting.RESUME)) {
      case "auto" -> ResumePolicy.AUTO;
      case "require" -> ResumePolicy.REQUIRE;
      case "never" -> ResumePolicy.NEVER;
      default -> throw illegal(Setting.RESUME, "auto, require or never");
    };
  }

  boolean storeAtStart() {
    return switch (text(Setting.STORE_REQUIRED)) {
      case "join" -> false;
      case "start" -> true;
      default -> throw illegal(Setting.STORE_REQUIRED, "join or start");
    };
  }

  boolean olderIfUnreadable() {
    return switch (text(Setting.STORE_UNREADABLE)) {
      case "older" -> true;
      case "refuse" -> false;
      default -> throw illegal(Setting.STORE_UNREADABLE, "older or refuse");
    };
  }

  boolean isOn(Setting setting) {
    return switch (text(setting)) {
      case "on" -> true;
      case "off" -> false;
      default -> throw illegal(setting, "on or off");
    };
  }

  Path directory(Setting setting, String purpose) {
    String value = text(setting);
    if (URI_SCHEME.matcher(value).lookingAt()) {
      throw illegal(setting, "a directory's path on this machine, and no URI");
    }
    try {
      return value.isEmpty() ? OwnDirectories.sharedMemory(purpose) : Path.of(value);
    } catch (InvalidPathException e) {
      throw illegal(setting, "a directory's path (" + e.getReason() + "; LC_ALL=C.UTF-8 may help)");
    }
  }

  long period(Setting setting) {
    long every = number(setting);
    if (every < 1) {
      throw illegal(setting, "1 or more");
    }
    return every;
  }

  long number(Setting setting) {
    try {
      return Long.parseLong(text(setting));
    } catch (NumberFormatException e) {
      throw illegal(setting, "a whole number");
    }
  }

  /** A port, or 0 for any free one. */
  int port(Setting setting) {
    long port = number(setting);
    if (port < 0 || port > MOST_PORT) {
      throw illegal(setting, "a port, or 0 for any free one");
    }
    return (int) port;
  }

  long bytes(Setting setting) {
    return Sizes.parse(text(setting))
        .orElseThrow(
            () -> illegal(setting, "a size such as 256m or 4g, below 8 million terabytes"));
  }

  /** How STORE keeps its files, as far as it is configured. */
  StoreBlocks blocks() {
    OptionalInt replication =
        has(Setting.STORE_REPLICATION)
            ? OptionalInt.of((int) Math.min(Integer.MAX_VALUE, number(Setting.STORE_REPLICATION)))
            : OptionalInt.empty();
    OptionalLong bytes =
        has(Setting.STORE_BLOCK_SIZE)
            ? OptionalLong.of(bytes(Setting.STORE_BLOCK_SIZE))
            : OptionalLong.empty();
    return new StoreBlocks(replication, bytes);
  }

  Duration duration(Setting setting) {
    Matcher time = TIME.matcher(text(setting).toLowerCase(Locale.ROOT));
    if (!time.matches()) {
      throw illegal(setting, "a time such as 500ms, 60s, 5m, 12h or 30d");
    }
    long amount = Long.parseLong(time.group(1));
    Duration duration =
        switch (time.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        };
    if (duration.compareTo(LONGEST) > 0) {
      throw illegal(setting, "at most " + LONGEST.toDays() + "d");
    }
    return duration;
  }

  /** A fraction, above 0 and at most 1. */
  double part(Setting setting) {
    Matcher part = PART.matcher(text(setting));
    double value = part.matches() ? Double.parseDouble(part.group(1)) : 0;
    if (part.matches() && !part.group(2).isEmpty()) {
      value /= 100;
    }
    if (!(value > 0) || value > 1) {
      throw illegal(setting, "a part such as 1% or 0.01");
    }
    return value;
  }

  IllegalArgumentException illegal(Setting setting, String expected) {
    return new IllegalArgumentException(
        "setting " + setting.name() + " is '" + text(setting) + "': give " + expected);
  }
}

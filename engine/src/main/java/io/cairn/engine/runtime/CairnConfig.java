package io.cairn.engine.runtime;

import io.cairn.core.cadence.FixedCadence;
import io.cairn.core.model.PathSegment;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one process needs to know. Immutable; {@link Setting} explains each value.
 *
 * @param cacheBytes device memory for checkpoints
 * @param chunkBytes unit of copying
 * @param keep checkpoints kept per group and level
 * @param queueBytes bytes that may wait per stage
 */
public record CairnConfig(
    String job,
    String store,
    Path nodeDirectory,
    Path deviceDirectory,
    long cacheBytes,
    int chunkBytes,
    FixedCadence cadence,
    int keep,
    long queueBytes,
    Duration closeTimeout) {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})\\s*([kmgt]?)b?");
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h)");
  private static final int MAX_CHUNK_BYTES = 64 << 20;
  private static final int MAX_CHUNKS = 1 << 24;

  /** Checks the ranges. */
  public CairnConfig {
    PathSegment.require("job", job);
    if (chunkBytes < 4096 || chunkBytes > MAX_CHUNK_BYTES) {
      throw new IllegalArgumentException("chunkSize is " + chunkBytes + " bytes: choose 4k to 64m");
    }
    if (cacheBytes < chunkBytes) {
      throw new IllegalArgumentException(
          "device.cacheSize (" + cacheBytes + " bytes) holds no chunk of " + chunkBytes + " bytes");
    }
    if (chunkBytes % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "chunkSize is " + chunkBytes + " bytes: choose a multiple of " + Long.BYTES);
    }
    if (cacheBytes / chunkBytes > MAX_CHUNKS) {
      throw new IllegalArgumentException(
          "device.cacheSize (" + cacheBytes + " bytes) is more than " + MAX_CHUNKS + " chunks");
    }
    if (keep < 1) {
      throw new IllegalArgumentException("keep is " + keep + ": keep at least 1 checkpoint");
    }
    if (queueBytes < 1) {
      throw new IllegalArgumentException("queueSize is " + queueBytes + " bytes: choose 1 or more");
    }
  }

  /** The embedded defaults. */
  public static CairnConfig defaults() {
    return of(Map.of());
  }

  /**
   * From settings by name, without a prefix.
   *
   * @throws IllegalArgumentException naming the setting that is unknown or whose value is not legal
   */
  public static CairnConfig of(Map<String, String> values) {
    Setting.requireKnown(values, "");
    FixedCadence cadence =
        new FixedCadence(
            period(Setting.DEVICE_EVERY, values),
            period(Setting.NODE_EVERY, values),
            period(Setting.STORE_EVERY, values));
    return new CairnConfig(
        Setting.JOB.in(values),
        orElse(Setting.STORE.in(values), OwnDirectories.defaultStore().toString()),
        directory(Setting.NODE_DIR, values, "node"),
        directory(Setting.DEVICE_DIR, values, "device"),
        bytes(Setting.DEVICE_CACHE, values),
        Math.toIntExact(Math.min(Integer.MAX_VALUE, bytes(Setting.CHUNK_SIZE, values))),
        cadence,
        Math.toIntExact(Math.min(Integer.MAX_VALUE, number(Setting.KEEP, values))),
        bytes(Setting.QUEUE_SIZE, values),
        duration(Setting.CLOSE_TIMEOUT, values));
  }

  private static Path directory(Setting setting, Map<String, String> values, String purpose) {
    String value = setting.in(values);
    try {
      return value.isEmpty() ? OwnDirectories.sharedMemory(purpose) : Path.of(value);
    } catch (InvalidPathException e) {
      throw illegal(setting, values, "a directory's path (" + e.getReason() + ")");
    }
  }

  private static String orElse(String value, String otherwise) {
    return value.isEmpty() ? otherwise : value;
  }

  private static long period(Setting setting, Map<String, String> values) {
    long every = number(setting, values);
    if (every < 1) {
      throw illegal(setting, values, "1 or more");
    }
    return every;
  }

  private static long number(Setting setting, Map<String, String> values) {
    try {
      return Long.parseLong(setting.in(values));
    } catch (NumberFormatException e) {
      throw illegal(setting, values, "a whole number");
    }
  }

  private static long bytes(Setting setting, Map<String, String> values) {
    Matcher size = SIZE.matcher(setting.in(values).toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      throw illegal(setting, values, "a size such as 256m or 4g");
    }
    int shift = 10 * " kmgt".indexOf(size.group(2).isEmpty() ? " " : size.group(2));
    long amount = Long.parseLong(size.group(1));
    if (amount > Long.MAX_VALUE >> shift) {
      throw illegal(setting, values, "a size below 8 million terabytes");
    }
    return amount << shift;
  }

  private static Duration duration(Setting setting, Map<String, String> values) {
    Matcher time = TIME.matcher(setting.in(values).toLowerCase(Locale.ROOT));
    if (!time.matches()) {
      throw illegal(setting, values, "a time such as 500ms, 60s or 5m");
    }
    long amount = Long.parseLong(time.group(1));
    return switch (time.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }

  private static IllegalArgumentException illegal(
      Setting setting, Map<String, String> values, String expected) {
    return new IllegalArgumentException(
        "setting " + setting.name() + " is '" + setting.in(values) + "': give " + expected);
  }
}

package io.cairn.spark.ui.page;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Figures as people read them, the same in every locale. */
final class PageUnits {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  /** The last instant that the formats can print. */
  private static final long LAST_MILLIS = 253_402_300_799_000L;

  private PageUnits() {}

  static String bytes(long bytes) {
    double amount = bytes;
    int unit = 0;
    while (amount >= 1024 && unit < BYTES.length - 1) {
      amount /= 1024;
      unit++;
    }
    return unit == 0
        ? bytes + " B"
        : format(amount < 10 ? "%.1f %s" : "%.0f %s", amount, BYTES[unit]);
  }

  static String seconds(double seconds) {
    if (Double.isNaN(seconds)) {
      return "–";
    } else if (seconds == 0) {
      return "0 s";
    } else if (seconds < 1e-6) {
      return "< 1 µs";
    } else if (seconds < 0.001) {
      return format("%.0f µs", seconds * 1e6);
    } else if (seconds < 1) {
      return format("%.0f ms", seconds * 1e3);
    } else if (seconds < 120) {
      return format("%.1f s", seconds);
    } else if (seconds < 7_200) {
      return format("%.0f min", seconds / 60);
    }
    return format("%.1f h", seconds / 3_600);
  }

  /** A time that has passed, in whole units. */
  static String age(double seconds) {
    double whole = Math.rint(Math.max(0, seconds));
    return whole < 120 ? format("%.0f s", whole) : seconds(whole);
  }

  static String percent(double part) {
    return Double.isNaN(part) ? "–" : format(part < 0.1 ? "%.2f %%" : "%.1f %%", 100 * part);
  }

  static String count(long count) {
    return format("%,d", count).replace(',', ' ');
  }

  /** The time of day. */
  static String clock(long millis) {
    return CLOCK.format(instant(millis));
  }

  /** Date and time of day. */
  static String date(long millis) {
    return DATE.format(instant(millis));
  }

  private static Instant instant(long millis) {
    return Instant.ofEpochMilli(Math.max(0, Math.min(LAST_MILLIS, millis)));
  }

  static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}

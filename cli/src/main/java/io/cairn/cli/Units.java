package io.cairn.cli;

import java.util.Locale;

/** Numbers as people read them. */
public final class Units {
  private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private static final String[] DECIMAL = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private Units() {}

  /** Bytes with a binary unit and three digits or so: {@code 862 KiB}, {@code 1.5 GiB}. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < BINARY.length - 1) {
      value /= 1024;
      unit++;
    }
    String pattern = unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, pattern, value, BINARY[unit]);
  }

  /** Bytes with a decimal unit, as rates and sizes of devices are given: {@code 480 MB}. */
  public static String decimalBytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.5 && unit < DECIMAL.length - 1) {
      value /= 1000;
      unit++;
    }
    return threeDigits(value) + " " + DECIMAL[unit];
  }

  /**
   * A time with the unit in which it is a short number: {@code 6.67 ms}, {@code 0.5 s}, {@code 12.5
   * min}.
   */
  public static String seconds(double seconds) {
    if (seconds > 0 && seconds < 0.09995) {
      return seconds < 0.9995e-6
          ? threeDigits(seconds * 1e9) + " ns"
          : seconds < 0.9995e-3
              ? threeDigits(seconds * 1e6) + " µs"
              : threeDigits(seconds * 1e3) + " ms";
    }
    String text;
    if (seconds < 100) {
      text = String.format(Locale.ROOT, "%.3g s", seconds);
    } else if (seconds < 6000) {
      text = String.format(Locale.ROOT, "%.1f min", seconds / 60);
    } else if (seconds < 48 * 3600) {
      text = String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    } else {
      text = String.format(Locale.ROOT, "%.1f days", seconds / 86400);
    }
    return text.replaceFirst("(\\.[0-9]*[1-9])0+ |\\.0+ ", "$1 ");
  }

  /** A part of a whole, such as an overhead, with four digits or so: {@code 9.658 %}. */
  public static String percent(double part) {
    if (Double.isInfinite(part)) {
      return "infinite";
    }
    return String.format(Locale.ROOT, part < 1e4 ? "%.4g %%" : "%.3e %%", 100 * part);
  }

  /** Three significant digits without zeros at the end; whole from 100 on. */
  private static String threeDigits(double value) {
    int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return decimals == 0 ? text : text.replaceAll("\\.?0+$", "");
  }

  /** A number and its noun, in the plural where it needs one: {@code 1 chunk}, {@code 2 chunks}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}

package io.cairn.cli;

import java.util.Locale;

/** Numbers as people read them. */
public final class Units {
  private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

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

  /** A number and its noun, in the plural where it needs one: {@code 1 chunk}, {@code 2 chunks}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}

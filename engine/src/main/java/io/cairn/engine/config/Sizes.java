package io.cairn.engine.config;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as people write them. Stateless. */
public final class Sizes {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,18})\\s*([kmgt]?)b?");

  private Sizes() {}

  /** The bytes in a text such as {@code 256m} or {@code 4g}; empty if it is none, or too many. */
  public static OptionalLong parse(String text) {
    Matcher size = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      return OptionalLong.empty();
    }
    int shift = 10 * " kmgt".indexOf(size.group(2).isEmpty() ? " " : size.group(2));
    long amount = Long.parseLong(size.group(1));
    return amount > Long.MAX_VALUE >> shift
        ? OptionalLong.empty()
        : OptionalLong.of(amount << shift);
  }
}

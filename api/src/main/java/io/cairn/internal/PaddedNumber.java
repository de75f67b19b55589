package io.cairn.internal;

import java.util.OptionalLong;

/**
 * Numbers in the names of files, with leading zeros. Names of one length sort as their numbers do.
 * Written out, since each listing of a store makes hundreds, and a format string is parsed anew for
 * each.
 */
public final class PaddedNumber {
  /** Any number of so many digits fits a long. */
  private static final int MAX_DIGITS = 18;

  private PaddedNumber() {}

  /**
   * The decimal digits of a number.
   *
   * @param number at least 0
   * @param digits the least number of digits
   */
  public static String of(long number, int digits) {
    String plain = Long.toString(number);
    int zeros = digits - plain.length();
    return zeros <= 0 ? plain : "0".repeat(zeros) + plain;
  }

  /** The number of 1 to 18 decimal digits; empty for any other text, such as one with a sign. */
  public static OptionalLong parse(String digits) {
    boolean legal = !digits.isEmpty() && digits.length() <= MAX_DIGITS;
    for (int i = 0; legal && i < digits.length(); i++) {
      legal = digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
    }
    return legal ? OptionalLong.of(Long.parseLong(digits)) : OptionalLong.empty();
  }
}

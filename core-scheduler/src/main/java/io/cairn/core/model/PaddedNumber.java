package io.cairn.core.model;

/**
 * Numbers in the names of files, with leading zeros. Names of one length sort as their numbers do.
 * Written out, since each listing of a store makes hundreds, and a format string is parsed anew for
 * each.
 */
public final class PaddedNumber {
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
}

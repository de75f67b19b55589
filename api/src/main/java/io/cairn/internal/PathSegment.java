package io.cairn.internal;

/**
 * The rule for every name that becomes a directory: job, group, region and holder names.
 *
 * <p>A name is 1 to 128 letters, digits, {@code '.'}, {@code '_'} and {@code '-'}, and starts with
 * a letter or a digit. So no name can leave its directory, hide a file or need escaping in a file
 * system.
 */
public final class PathSegment {
  private static final int MAX_LENGTH = 128;

  private PathSegment() {}

  /**
   * Returns {@code value} if it is a legal name.
   *
   * @param what the kind of name, for the message ("job", "group")
   * @throws IllegalArgumentException naming both, if it is not
   */
  public static String require(String what, String value) {
    if (!isLegal(value)) {
      throw new IllegalArgumentException(
          what
              + " name '"
              + value
              + "' is not one path segment: use 1 to 128 letters, digits, '.', '_' and '-',"
              + " starting with a letter or a digit");
    }
    return value;
  }

  /** Whether {@code value} is a legal name. */
  public static boolean isLegal(String value) {
    return isLegal(value, MAX_LENGTH);
  }

  /** Whether {@code value} is a legal name, if a name may have so many characters. */
  public static boolean isLegal(String value, int maxLength) {
    // a loop, since every capture checks the name of each region: a regular expression takes longer
    int length = value.length();
    boolean legal = length > 0 && length <= maxLength && isLetterOrDigit(value.charAt(0));
    for (int i = 1; legal && i < length; i++) {
      char c = value.charAt(i);
      legal = isLetterOrDigit(c) || c == '.' || c == '_' || c == '-';
    }
    return legal;
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
  }
}

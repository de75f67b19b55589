package io.cairn.core.model;

import java.util.regex.Pattern;

/**
 * The rule for every name that becomes a directory: job, group, region and holder names.
 *
 * <p>A name is 1 to 128 letters, digits, {@code '.'}, {@code '_'} and {@code '-'}, and starts with
 * a letter or a digit. So no name can leave its directory, hide a file or need escaping in a file
 * system.
 */
public final class PathSegment {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

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
    return ALLOWED.matcher(value).matches();
  }
}

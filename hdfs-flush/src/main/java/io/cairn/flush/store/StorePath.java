package io.cairn.flush.store;

/**
 * The rule for paths in a store: segments of letters, digits, {@code '.'}, {@code '_'} and {@code
 * '-'}, separated by one {@code '/'}. A segment may begin with one dot, which hides the file. No
 * legal path leaves the root, and none needs escaping in any file system.
 */
public final class StorePath {
  /** The root itself, as the path of a directory. */
  public static final String ROOT = "";

  private static final int MAX_SEGMENT = 254;

  private static final boolean[] LETTERS = new boolean[128];

  static {
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
        .chars()
        .forEach(letter -> LETTERS[letter] = true);
  }

  private StorePath() {}

  /** Returns the path of a file or directory below the root, or throws if it is illegal. */
  public static String require(String path) {
    for (int begin = 0; begin <= path.length(); begin++) {
      int end = segmentEnd(path, begin);
      if (!isSegment(path, begin, end)) {
        throw new IllegalArgumentException(
            "illegal path in a store: '"
                + path
                + "': use segments of 1 to 254 letters, digits, '.', '_' and '-', separated by"
                + " '/'");
      }
      begin = end;
    }
    return path;
  }

  private static int segmentEnd(String path, int begin) {
    int slash = path.indexOf('/', begin);
    return slash < 0 ? path.length() : slash;
  }

  /** A loop, since every call of a store checks its paths: a regular expression takes longer. */
  private static boolean isSegment(String path, int begin, int end) {
    int visible = begin < end && path.charAt(begin) == '.' ? begin + 1 : begin;
    boolean legal = visible < end && end - visible <= MAX_SEGMENT && isLetter(path.charAt(visible));
    for (int i = visible + 1; legal && i < end; i++) {
      legal = isLetter(path.charAt(i)) || path.charAt(i) == '.';
    }
    return legal;
  }

  private static boolean isLetter(char c) {
    return c < LETTERS.length && LETTERS[c];
  }

  /** Returns the path of a directory, the root included, or throws if it is illegal. */
  public static String requireDirectory(String path) {
    return path.equals(ROOT) ? path : require(path);
  }

  /** Requires two legal, different names in one directory. */
  public static void requireSiblings(String from, String to) {
    require(from);
    require(to);
    if (from.equals(to) || !parent(from).equals(parent(to))) {
      throw new IllegalArgumentException(
          "cannot publish '" + from + "' as '" + to + "': use another name in the same directory");
    }
  }

  /** The directory that holds the path; {@link #ROOT} for a single segment. */
  public static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? ROOT : path.substring(0, slash);
  }
}

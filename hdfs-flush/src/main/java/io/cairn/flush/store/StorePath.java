package io.cairn.flush.store;

import java.util.regex.Pattern;

/**
 * The rule for paths in a store: segments of letters, digits, {@code '.'}, {@code '_'} and {@code
 * '-'}, separated by one {@code '/'}. A segment may begin with one dot, which hides the file. No
 * legal path leaves the root, and none needs escaping in any file system.
 */
final class StorePath {
  /** The root itself, as the path of a directory. */
  static final String ROOT = "";

  private static final Pattern SEGMENT = Pattern.compile("\\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,253}");

  private StorePath() {}

  /** Returns the path of a file or directory below the root, or throws if it is illegal. */
  static String require(String path) {
    for (String segment : path.split("/", -1)) {
      if (!SEGMENT.matcher(segment).matches()) {
        throw new IllegalArgumentException(
            "illegal path in a store: '"
                + path
                + "': use segments of 1 to 254 letters, digits, '.', '_' and '-', separated by"
                + " '/'");
      }
    }
    return path;
  }

  /** Returns the path of a directory, the root included, or throws if it is illegal. */
  static String requireDirectory(String path) {
    return path.equals(ROOT) ? path : require(path);
  }

  /** Requires two legal, different names in one directory. */
  static void requireSiblings(String from, String to) {
    require(from);
    require(to);
    if (from.equals(to) || !parent(from).equals(parent(to))) {
      throw new IllegalArgumentException(
          "cannot publish '" + from + "' as '" + to + "': use another name in the same directory");
    }
  }

  /** The directory that holds the path; {@link #ROOT} for a single segment. */
  static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? ROOT : path.substring(0, slash);
  }
}

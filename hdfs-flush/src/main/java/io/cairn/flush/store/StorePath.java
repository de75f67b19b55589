package io.cairn.flush.store;

import java.util.regex.Pattern;

/**
 * The rule for paths in a store: segments of letters, digits, {@code '.'}, {@code '_'} and {@code
 * '-'}, separated by one {@code '/'}. A segment may begin with one dot (such files are hidden). So
 * no path can leave the root, and none needs escaping in any file system.
 */
final class StorePath {
  /** The root itself, as the path of a directory. */
  static final String ROOT = "";

  private static final Pattern SEGMENT = Pattern.compile("\\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,253}");

  private StorePath() {}

  /** Returns the path of a file or of a directory below the root, if it is legal. */
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

  /** Returns the path of a directory, if it is legal; the root is. */
  static String requireDirectory(String path) {
    return path.equals(ROOT) ? path : require(path);
  }

  /** Checks both names of a publication: legal, different, in one directory. */
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

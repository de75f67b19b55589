package io.cairn.flush.durability;

/**
 * A change that a file system was asked for.
 *
 * @param path of the file or directory; its new path if it gets another name
 * @param from the old path of a file that gets another name; otherwise empty
 */
record FileCall(Kind kind, String path, String from) {
  enum Kind {
    CREATE,
    CREATE_DIRECTORY,
    WRITE,
    /** The contents of a file, or the names in a directory, are on the medium. */
    FORCE,
    /** The contents are with the servers, and on no medium. */
    FLUSH,
    CLOSE,
    /** A file gets one more name, or another one. */
    NAME,
    REMOVE,
    /** A caller was told that everything before is durable. */
    REPORT
  }

  static FileCall of(Kind kind, String path) {
    return new FileCall(kind, path, "");
  }

  String directory() {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  @Override
  public String toString() {
    return kind + " " + (from.isEmpty() ? "" : from + " as ") + path;
  }
}

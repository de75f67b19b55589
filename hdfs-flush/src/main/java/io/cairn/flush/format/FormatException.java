package io.cairn.flush.format;

import java.io.IOException;

/**
 * A file is not what it should be: truncated, damaged, of another checkpoint, or of a version that
 * this program cannot read. Trying again does not help; another copy may.
 */
public final class FormatException extends IOException {
  private final String file;
  private final long offset;
  private final String reason;

  /**
   * With what is wrong and where.
   *
   * @param file the file, as users find it
   * @param offset in bytes from the start of the file
   * @param reason what was found and what was expected
   */
  public FormatException(String file, long offset, String reason) {
    super(file + ", offset " + offset + ": " + reason);
    this.file = file;
    this.offset = offset;
    this.reason = reason;
  }

  /** The file. */
  public String file() {
    return file;
  }

  /** Where in the file, in bytes. */
  public long offset() {
    return offset;
  }

  /** What is wrong. */
  public String reason() {
    return reason;
  }
}

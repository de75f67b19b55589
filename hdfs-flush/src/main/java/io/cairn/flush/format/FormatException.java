package io.cairn.flush.format;

import java.io.IOException;

/**
 * Reports a file that is truncated, damaged, of another checkpoint, or of an unsupported version.
 * Reading it again does not help; another copy may be good.
 */
public final class FormatException extends IOException {
  private final String file;
  private final long offset;
  private final String reason;

  /**
   * Creates an exception.
   *
   * @param file the file, with the store's name
   * @param offset in bytes from the start of the file
   * @param reason the value that was found and the expected one
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

  /** Offset of the damage in the file, in bytes. */
  public long offset() {
    return offset;
  }

  /** The reason, without file and offset. */
  public String reason() {
    return reason;
  }
}

package io.cairn.flush.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/**
 * Creates the exceptions of one store, with the same wording in every implementation: the failed
 * operation, the whole path, the cause.
 *
 * @param store the root, as {@link CheckpointStore#describe} returns it
 */
public record StoreErrors(String store) {
  /** The whole path of a file. */
  public String at(String path) {
    return path.isEmpty() ? store : store + (store.endsWith("/") ? "" : "/") + path;
  }

  /** Another file has the name. */
  public FileAlreadyExistsException exists(String path, @Nullable Throwable cause) {
    return with(new FileAlreadyExistsException(at(path), null, "exists already"), cause);
  }

  /** No file has the name. */
  public NoSuchFileException missing(String path, @Nullable Throwable cause) {
    return with(new NoSuchFileException(at(path), null, "does not exist"), cause);
  }

  /** A file is in the place of a directory, or of the whole store. */
  public NotDirectoryException notDirectory(String path) {
    if (path.isEmpty()) {
      return new NotDirectoryException(
          "cannot open store " + store + ": it is a file, not a directory: choose another path");
    }
    return new NotDirectoryException(at(path) + ": not a directory");
  }

  /** A directory is in the place of a file. */
  public IOException isDirectory(String path) {
    return new IOException(at(path) + " is a directory, not a file");
  }

  /** Something else is in the place of a file or directory. */
  public IOException isNoFile(String path) {
    return new IOException(at(path) + " is neither a file nor a directory: delete it");
  }

  /** The root directory is no longer there. */
  public IOException gone() {
    return new IOException(
        "store " + store + " is gone: its root directory does not exist (unmounted or deleted?)");
  }

  /** The failure of an operation with an unknown effect. */
  public IOException failed(String operation, String path, Throwable cause) {
    return new IOException("cannot " + operation + " " + at(path) + ": " + reason(cause), cause);
  }

  /** The failure of an operation at a position of a file. */
  public IOException failed(String operation, String path, long position, Throwable cause) {
    return new IOException(
        "cannot " + operation + " " + at(path) + " at byte " + position + ": " + reason(cause),
        cause);
  }

  /** Requires that a read lies inside the file. */
  public void requireInside(String path, long position, int bytes, long length)
      throws EOFException {
    if (position < 0) {
      throw new IllegalArgumentException("negative position " + position + " in " + at(path));
    }
    if (position > length - bytes) {
      throw new EOFException(
          at(path) + " has " + length + " bytes: cannot read " + bytes + " at byte " + position);
    }
  }

  /** A file that was cut off after it was opened. */
  public EOFException shorter(String path, long position, long length) {
    return new EOFException(
        at(path) + " had " + length + " bytes when it was opened and now ends at byte " + position);
  }

  /**
   * The first line of the cause's message; Hadoop often appends a stack trace to it. The kind of
   * the cause where its message is a path alone, or is missing.
   */
  static String reason(Throwable cause) {
    String message = cause.getMessage();
    if (cause instanceof AccessDeniedException denied && denied.getReason() == null) {
      return "access is denied to this user";
    }
    return message == null
            || message.isBlank()
            || (cause instanceof FileSystemException error && error.getReason() == null)
        ? cause.getClass().getSimpleName()
        : message.lines().findFirst().orElse(message);
  }

  private static <E extends IOException> E with(E error, @Nullable Throwable cause) {
    error.initCause(cause);
    return error;
  }
}

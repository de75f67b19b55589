package io.cairn.adjoint.history;

/** A state that could not be stored or read. Its message says which one, why, and what to do. */
public final class HistoryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** A failure that history finds itself. */
  public HistoryException(String message) {
    super(message);
  }

  /** A failure of a device or a file. */
  public HistoryException(String message, Throwable cause) {
    super(message, cause);
  }
}

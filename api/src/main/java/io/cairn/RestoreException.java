package io.cairn;

/**
 * Checkpoints exist and none could be restored, or the requested one does not fit this application.
 * The message names the checkpoint, the copy, and the remedy. The application's memory is
 * untouched.
 */
public final class RestoreException extends RuntimeException {
  /** With a message for the user. */
  public RestoreException(String message) {
    super(message);
  }
}

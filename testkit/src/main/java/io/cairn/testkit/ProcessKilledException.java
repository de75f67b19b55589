package io.cairn.testkit;

/**
 * The process that made the call is dead: nothing after the call happens. Unchecked, so that no
 * handler of I/O errors takes it for one.
 */
public final class ProcessKilledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says where. */
  public ProcessKilledException(String message) {
    super(message);
  }
}

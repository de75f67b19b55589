package io.cairn.core.layout;

/**
 * Layouts do not allow a restore: a region has none, two ranks contradict each other, or no rank
 * has some elements. The message names regions and ranks.
 */
public final class LayoutException extends Exception {
  private static final long serialVersionUID = 1L;

  /** A reason, for people. */
  public LayoutException(String message) {
    super(message);
  }
}

package io.cairn.engine.promotion;

/** A level cannot protect the group where it runs, so its checkpoints count as not due there. */
public final class NotDueException extends SkippedException {
  private static final long serialVersionUID = 1;

  /** With the reason, for people. */
  public NotDueException(String message) {
    super(message);
  }
}

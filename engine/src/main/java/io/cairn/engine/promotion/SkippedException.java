package io.cairn.engine.promotion;

import java.io.IOException;

/** A level cannot take a checkpoint now, although nothing failed. */
public class SkippedException extends IOException {
  private static final long serialVersionUID = 1;

  /** With the reason, for people. */
  public SkippedException(String message) {
    super(message);
  }
}

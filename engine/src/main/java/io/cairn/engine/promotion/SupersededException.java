package io.cairn.engine.promotion;

import java.io.IOException;

/** A later epoch of the group exists: nothing that this attempt writes counts. */
public final class SupersededException extends IOException {
  private static final long serialVersionUID = 1;

  /** With the epoch and the place where it was found. */
  public SupersededException(String message) {
    super(message);
  }
}

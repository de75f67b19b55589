package io.cairn.engine.adjoint;

/** A run that cannot go on. Its message says which step, why, and what to do. */
public final class AdjointException extends RuntimeException {
  private static final long serialVersionUID = 1;

  AdjointException(String message) {
    super(message);
  }
}

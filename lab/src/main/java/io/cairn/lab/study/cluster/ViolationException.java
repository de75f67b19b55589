package io.cairn.lab.study.cluster;

/** An invariant does not hold. */
final class ViolationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ViolationException(String message) {
    super(message);
  }
}

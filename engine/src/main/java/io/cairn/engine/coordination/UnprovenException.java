package io.cairn.engine.coordination;

import java.io.IOException;

/**
 * The other end of an exchange is not the one that was asked: it has another secret or none, or
 * serves something else. Asking again does not help.
 */
final class UnprovenException extends IOException {
  private static final long serialVersionUID = 1;

  /** The message names the address and the setting. */
  UnprovenException(String message) {
    super(message);
  }
}

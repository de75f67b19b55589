package io.cairn.engine.coordination;

import java.io.IOException;

/**
 * The two ends of an exchange have different secrets, or one has none. Asking again does not help.
 */
final class UnprovenException extends IOException {
  private static final long serialVersionUID = 1;

  /** The message names the address and the setting. */
  UnprovenException(String message) {
    super(message);
  }
}

package io.cairn.flush.store;

import java.io.IOException;

/**
 * A store cannot be opened for writing now, and may be later: it is full, read-only, in safe mode
 * or out of reach. The message names the store, the reason and the remedy.
 */
public final class StoreUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A refusal with its reason and remedy. */
  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}

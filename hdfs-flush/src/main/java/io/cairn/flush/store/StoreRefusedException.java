package io.cairn.flush.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/**
 * A store refuses this process, and would refuse it at each later try: another store lies there, a
 * class or a semantic is missing, access is denied. Waiting helps nobody, so a start, a join and a
 * restore fail at once. The message names the store, the reason and the remedy.
 */
public final class StoreRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A refusal with its reason and remedy. */
  public StoreRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Whether a failure of a store lasts. A store that is out of reach, full, read-only or in safe
   * mode may serve later, and so may one whose failure is not known.
   */
  public static boolean isIn(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof StoreRefusedException || at instanceof NotDirectoryException) {
        return true;
      }
    }
    return denies(failure);
  }

  /** Whether a failure means that this user may not access a file; loads no Hadoop class. */
  public static boolean denies(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof AccessDeniedException || at.toString().contains("AccessControlException")) {
        return true;
      }
    }
    return false;
  }
}

package io.cairn.flush.restore;

import io.cairn.core.session.RestoreReport.Attempt;
import io.cairn.flush.format.FormatException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.BitSet;

/**
 * What is known to be wrong with one copy. Grows only: what was found bad is not tried again. Not
 * thread-safe.
 */
final class CopyHealth {
  private final BitSet badChunks = new BitSet();
  private boolean retryable;
  private String refusal = "";
  private String firstFailure = "";

  /** The copy cannot be used at all. */
  void refuse(String reason) {
    if (refusal.isEmpty()) {
      refusal = reason;
    }
  }

  /** A read failed: unless the file itself is bad or gone, that may pass. */
  void note(IOException failure) {
    retryable |=
        !(failure instanceof FormatException
            || failure instanceof NoSuchFileException
            || failure instanceof EOFException);
  }

  /** Whether some of what is refused may be good after all. */
  boolean retryable() {
    return retryable;
  }

  /** One chunk is bad, or cannot be read. */
  void refuseChunk(int number, String reason) {
    if (badChunks.isEmpty()) {
      firstFailure = reason;
    }
    badChunks.set(number);
  }

  /** Whether a chunk may be tried. */
  boolean offers(int number) {
    return refusal.isEmpty() && !badChunks.get(number);
  }

  /** Whether the copy may be opened. */
  boolean usable() {
    return refusal.isEmpty();
  }

  /** What is wrong, for {@link Attempt#refusal}; empty if nothing is. */
  String describe(int chunks) {
    if (!refusal.isEmpty() || badChunks.isEmpty()) {
      return refusal;
    }
    return badChunks.cardinality() + " of " + chunks + " chunks bad, the first: " + firstFailure;
  }
}

package io.cairn.flush.restore;

import io.cairn.RestoreReport.Attempt;
import io.cairn.flush.format.FormatException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.BitSet;

/**
 * The known defects of one copy. They only accumulate: a bad chunk is not read again. Thread-safe.
 */
final class CopyHealth {
  private final BitSet badChunks = new BitSet();
  private boolean retryable;
  private String refusal = "";
  private String firstFailure = "";

  /** Marks the whole copy as unusable. */
  synchronized void refuse(String reason) {
    if (refusal.isEmpty()) {
      refusal = reason;
    }
  }

  /** Records a failed read. It is retryable unless the file itself is bad or gone. */
  synchronized void note(IOException failure) {
    retryable |= !isDamage(failure);
  }

  /** Whether a failure shows that a file is bad or gone, so that another read fails, too. */
  static boolean isDamage(IOException failure) {
    return failure instanceof FormatException
        || failure instanceof NoSuchFileException
        || failure instanceof EOFException;
  }

  /** Whether a refused chunk or copy may be readable later. */
  synchronized boolean retryable() {
    return retryable;
  }

  /** Marks one chunk as bad or unreadable. */
  synchronized void refuseChunk(int number, String reason) {
    if (badChunks.isEmpty()) {
      firstFailure = reason;
    }
    badChunks.set(number);
  }

  /** Whether a chunk may be read. */
  synchronized boolean offers(int number) {
    return refusal.isEmpty() && !badChunks.get(number);
  }

  /** Whether the copy may be opened. */
  synchronized boolean usable() {
    return refusal.isEmpty();
  }

  /** The defects, for {@link Attempt#refusal}; empty if there are none. */
  synchronized String describe(int chunks) {
    if (!refusal.isEmpty() || badChunks.isEmpty()) {
      return refusal;
    }
    return badChunks.cardinality() + " of " + chunks + " chunks bad, the first: " + firstFailure;
  }
}

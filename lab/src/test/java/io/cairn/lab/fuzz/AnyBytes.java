package io.cairn.lab.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Gives a reader bytes that may be anything. A reader may refuse them, by the exception that it
 * documents, and takes memory in proportion to their number.
 */
final class AnyBytes {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** For messages and digests. */
  private static final long BASE_BYTES = 8 << 20;

  private static final long PER_BYTE = 512;

  /** A reader at work. */
  @FunctionalInterface
  interface Reading {
    /** Reads all that there is. */
    void run() throws Exception;
  }

  private AnyBytes() {}

  /**
   * Reads once.
   *
   * @param bytes that the reader is given
   * @param refusal the exception that the reader documents
   * @throws AssertionError if it throws another one, or takes too much memory
   */
  static void read(int bytes, Class<? extends Exception> refusal, Reading reading) {
    long most = BASE_BYTES + PER_BYTE * bytes;
    if (taken(refusal, reading) > most) {
      // the first reading loaded classes, too
      long taken = taken(refusal, reading);
      if (taken > most) {
        throw new AssertionError(taken + " bytes taken to read " + bytes);
      }
    }
  }

  private static long taken(Class<? extends Exception> refusal, Reading reading) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      reading.run();
    } catch (Exception e) {
      if (!refusal.isInstance(e)) {
        throw new AssertionError("refused by " + e.getClass() + ", not by " + refusal, e);
      }
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }
}

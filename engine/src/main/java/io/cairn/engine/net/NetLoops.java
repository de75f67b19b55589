package io.cairn.engine.net;

import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * The threads of one transport. Pushes have their own, so that no question waits behind bulk data.
 *
 * @param questions also accepts connections
 */
record NetLoops(NetLoop questions, NetLoop pushes) implements AutoCloseable {
  /**
   * Starts both.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @throws IOException if the system refuses one
   */
  static NetLoops start(LongSupplier nanoTime) throws IOException {
    NetLoop questions = NetLoop.start("cairn-net-questions", nanoTime);
    try {
      return new NetLoops(questions, NetLoop.start("cairn-net-pushes", nanoTime));
    } catch (IOException | RuntimeException | Error e) {
      questions.close();
      throw e;
    }
  }

  NetLoop of(boolean push) {
    return push ? pushes : questions;
  }

  /** Ends both, with all their connections. */
  @Override
  public void close() {
    questions.close();
    pushes.close();
  }
}

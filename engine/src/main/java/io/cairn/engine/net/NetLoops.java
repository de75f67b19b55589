package io.cairn.engine.net;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one transport. Pushes have their own, so that no question waits behind them; it
 * starts with the first one. Thread-safe.
 */
final class NetLoops implements AutoCloseable {
  private final LongSupplier nanoTime;
  private final NetLoop questions;
  private @Nullable NetLoop pushes;
  private boolean closed;

  private NetLoops(LongSupplier nanoTime, NetLoop questions) {
    this.nanoTime = nanoTime;
    this.questions = questions;
  }

  /**
   * Starts that of questions.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @throws IOException if the system refuses it
   */
  static NetLoops start(LongSupplier nanoTime) throws IOException {
    return new NetLoops(nanoTime, NetLoop.start("cairn-net-questions", nanoTime));
  }

  /** That of questions, which also accepts connections. */
  NetLoop questions() {
    return questions;
  }

  /**
   * The one for pushes or questions.
   *
   * @throws IOException if the system refuses it, or after closing
   */
  synchronized NetLoop of(boolean push) throws IOException {
    if (!push) {
      return questions;
    } else if (closed) {
      throw new IOException("this transport is closed");
    }
    NetLoop known = pushes;
    if (known == null) {
      known = NetLoop.start("cairn-net-pushes", nanoTime);
      pushes = known;
    }
    return known;
  }

  /** Ends both, with all their connections. */
  @Override
  public void close() {
    questions.close();
    NetLoop started;
    synchronized (this) {
      closed = true;
      started = pushes;
    }
    if (started != null) {
      started.close();
    }
  }
}

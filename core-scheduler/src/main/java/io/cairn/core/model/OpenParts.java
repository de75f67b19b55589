package io.cairn.core.model;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a whole that is being opened. Closing closes them, the last one first and each even
 * if another fails, unless the whole has taken them over by {@link #keep}. Not thread-safe.
 *
 * <pre>{@code
 * try (OpenParts open = new OpenParts()) {
 *   Store store = open.add(openStore());
 *   Desk desk = open.add(new Desk(store));
 *   return open.keep(new Service(store, desk));
 * }
 * }</pre>
 */
public final class OpenParts implements Closeable {
  /** A whole has some parts; what counts chunks or messages keeps a list of its own. */
  public static final int MOST = 1024;

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /** Nothing is open. */
  public OpenParts() {}

  /**
   * Adds a part that was opened.
   *
   * @throws IllegalStateException if there are {@link #MOST}; the part is closed then
   */
  public <T extends AutoCloseable> T add(T part) {
    if (parts.size() == MOST) {
      IllegalStateException failure = new IllegalStateException("more than " + MOST + " parts");
      closeAfter(part, failure);
      throw failure;
    }
    parts.push(part);
    return part;
  }

  /** The whole, which closes the parts from now on. */
  public <T> T keep(T whole) {
    parts.clear();
    return whole;
  }

  /**
   * Closes the parts that are not kept. Idempotent.
   *
   * @throws IOException the first failure, with the others suppressed
   */
  @Override
  public void close() throws IOException {
    try {
      closeAll(parts);
    } finally {
      parts.clear();
    }
  }

  /**
   * Closes all, in their order, each even if another fails.
   *
   * @throws IOException the first failure, with the others suppressed
   */
  public static void closeAll(Iterable<? extends AutoCloseable> parts) throws IOException {
    Throwable failure = null;
    for (AutoCloseable part : parts) {
      failure = closed(part, failure);
    }
    if (failure instanceof IOException e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    } else if (failure != null) {
      throw new IOException(failure);
    }
  }

  /** Closes a part after a failure, which keeps a failure of closing as suppressed. */
  public static void closeAfter(AutoCloseable part, Throwable cause) {
    Throwable unused = closed(part, cause);
  }

  /** Likewise, of all parts in their order. */
  public static void closeAllAfter(Iterable<? extends AutoCloseable> parts, Throwable cause) {
    parts.forEach(part -> closeAfter(part, cause));
  }

  private static @Nullable Throwable closed(AutoCloseable part, @Nullable Throwable before) {
    try {
      part.close();
    } catch (Exception | Error e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      if (before == null) {
        return e;
      } else if (e != before) {
        before.addSuppressed(e);
      }
    }
    return before;
  }
}

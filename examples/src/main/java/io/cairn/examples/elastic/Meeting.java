package io.cairn.examples.elastic;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the connections of ranks that prove the secret. A greeting has a thread of its own and
 * ends within seconds as a whole, so no stranger keeps a rank from being heard. Of more greetings
 * than a bound the oldest ends. One thread calls {@link #next}; {@link #close} may be another's.
 */
final class Meeting implements Closeable {
  static final int MOST_GREETINGS = 64;
  private static final Logger LOG = LoggerFactory.getLogger(Meeting.class);
  private static final long GREETING_SECONDS = 5;

  private final ServerSocket at;
  private final ExchangeGreeting greeting;
  private final BlockingQueue<Met> met = new LinkedBlockingQueue<>();

  /** Guarded by itself: connections that have proven nothing yet, the oldest first. */
  private final Set<Socket> strangers = new LinkedHashSet<>();

  private volatile boolean over;

  /** A rank that has proven the secret. */
  record Met(int rank, Socket socket) {
    @Override
    public String toString() {
      return "rank " + rank + " at " + socket.getRemoteSocketAddress();
    }
  }

  /** Accepts from now on. */
  Meeting(ServerSocket at, ExchangeGreeting greeting) throws IOException {
    this.at = at;
    this.greeting = greeting;
    at.setSoTimeout(100); // to notice the end
    start("cairn-exchange-accept", this::accept);
  }

  private static void start(String name, Runnable work) {
    daemon(name, work).start();
  }

  /** A thread that does not keep the process alive. */
  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * The next rank.
   *
   * @param millis how long to wait for one
   * @throws SocketTimeoutException if none came
   */
  Met next(int millis) throws IOException {
    try {
      Met next = met.poll(millis, TimeUnit.MILLISECONDS);
      if (next == null) {
        throw new SocketTimeoutException("not all ranks met in time");
      }
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while ranks met", e);
    }
  }

  private void accept() {
    while (!over) {
      try {
        Socket socket = at.accept();
        begin(socket);
        start("cairn-exchange-greeting", () -> greet(socket));
      } catch (SocketTimeoutException e) {
        // looks whether the meeting is over
      } catch (IOException e) {
        over |= at.isClosed();
        LOG.debug("the exchange could not accept a connection", e);
      }
    }
  }

  private void begin(Socket socket) {
    Socket oldest = null;
    synchronized (strangers) {
      strangers.add(socket);
      if (strangers.size() > MOST_GREETINGS) {
        oldest = strangers.iterator().next();
        strangers.remove(oldest);
      }
    }
    close(oldest);
    // a limit of each read alone would let a sender drip
    Executor later =
        CompletableFuture.delayedExecutor(GREETING_SECONDS, TimeUnit.SECONDS, Runnable::run);
    later.execute(
        () -> {
          if (hasEnded(socket)) {
            close(socket);
          }
        });
  }

  /** Whether a greeting was still under way, which it is no more. */
  private boolean hasEnded(Socket socket) {
    synchronized (strangers) {
      return strangers.remove(socket);
    }
  }

  private void greet(Socket socket) {
    try {
      socket.setTcpNoDelay(true);
      int rank =
          greeting.answer(
              new DataInputStream(socket.getInputStream()),
              new DataOutputStream(socket.getOutputStream()));
      if (hasEnded(socket)) {
        met.add(new Met(rank, socket));
      }
    } catch (IOException e) {
      if (hasEnded(socket)) {
        LOG.warn("the exchange refused {}", socket.getRemoteSocketAddress(), e);
      } else {
        LOG.debug("a greeting took too long, or was one too many", e);
      }
      close(socket);
    }
    if (over) {
      closeUnknown();
    }
  }

  private static void close(@Nullable Socket socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.debug("a connection of the exchange could not be closed", e);
    }
  }

  private void closeUnknown() {
    for (Met late = met.poll(); late != null; late = met.poll()) {
      close(late.socket());
    }
  }

  /** Accepts no more, and ends the connections that no caller has taken. */
  @Override
  public void close() {
    over = true;
    Set<Socket> left;
    synchronized (strangers) {
      left = new LinkedHashSet<>(strangers);
      strangers.clear();
    }
    left.forEach(Meeting::close);
    closeUnknown();
  }
}

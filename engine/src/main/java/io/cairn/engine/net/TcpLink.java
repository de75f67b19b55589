package io.cairn.engine.net;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.Refusal;
import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to one peer, for its questions or for its pushes: connecting, connected, ended.
 * Sends calls in order, within a window in bytes. Thread-safe.
 */
final class TcpLink {
  /*
   * Threads
   *
   * A thread of its own connects, and proves the secret. From there on the loop's thread sends,
   * receives and fails calls. The monitor guards the calls that wait, and the end.
   *
   * Lateness
   *
   * A late push ends the connection, since the loop may still read its body. A late question fails
   * alone, unless it was not written whole, or nothing at all came since it was sent: then the other
   * end may be gone. A link that does not connect ends, since a name server may hang.
   */
  private static final Logger LOG = LoggerFactory.getLogger(TcpLink.class);

  private final PeerAddress peer;
  private final PeerSecret secret;
  private final boolean pushes;
  private final PeerLimits limits;
  private final NetLoop loop;
  private final long madeNanos;
  private final Consumer<TcpLink> whenEnded;
  private final AtomicBoolean draining = new AtomicBoolean();
  private final CompletableFuture<Void> quiet = new CompletableFuture<>();

  // under the monitor
  private final Queue<TcpCall> waiting = new ArrayDeque<>();
  private int open;
  private @Nullable SocketChannel channel;
  private boolean onLoop;
  private boolean ended;

  // the loop's
  private final Map<Long, Sent> sent = new LinkedHashMap<>();
  private @Nullable NetConnection connection;
  private long numbers;
  private long bytesUnderWay;

  /** Its bytes are written when the connection has written up to the end. */
  private record Sent(TcpCall call, long nanos, long endBytes) {}

  /** A link that does not connect yet. */
  TcpLink(
      PeerAddress peer,
      PeerSecret secret,
      boolean pushes,
      PeerLimits limits,
      NetLoop loop,
      Consumer<TcpLink> whenEnded) {
    this.peer = peer;
    this.secret = secret;
    this.pushes = pushes;
    this.limits = limits;
    this.loop = loop;
    this.madeNanos = loop.now();
    this.whenEnded = whenEnded;
  }

  /** Takes a call, whose stage then completes; false if this link has ended. */
  boolean submit(TcpCall call) {
    boolean full;
    synchronized (this) {
      if (ended) {
        return false;
      }
      full = open >= limits.maxWaiting();
      if (!full) {
        open++;
        waiting.add(call);
      }
    }
    if (full) {
      call.fail(Reason.OVERLOADED, limits.maxWaiting() + " are open already");
    } else if (draining.compareAndSet(false, true)) {
      loop.soon(this::drain);
    }
    return true;
  }

  /** Connects and proves the secret; waits for both. */
  void connect() {
    try {
      SocketChannel opened = SocketChannel.open();
      if (!keep(opened)) {
        opened.close();
        return;
      }
      InetSocketAddress to = new InetSocketAddress(peer.host(), peer.port());
      if (to.isUnresolved()) {
        throw new IOException("no host of this name is known");
      }
      KeyShare share = secret.share(); // before a server waits for it
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
      opened.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      opened.socket().connect(to, (int) limits.connect().toMillis());
      if (opened.getLocalAddress().equals(opened.getRemoteAddress())) {
        throw new ConnectException("nobody serves there"); // TCP connects a free port with itself
      }
      Session session = Greeting.exchange(opened.socket(), secret, share, pushes, limits.connect());
      opened.configureBlocking(false);
      loop.soon(() -> begin(opened, session));
    } catch (Greeting.GreetingException e) {
      end(e.reason(), Refusal.of(e));
    } catch (ConnectException e) {
      end(Reason.UNREACHABLE, "no connection: " + Refusal.of(e));
    } catch (IOException | RuntimeException e) {
      end(Reason.UNCONNECTED, "no connection: " + Refusal.of(e));
    } catch (Error e) {
      end(reason(e), e.toString());
      throw e;
    }
  }

  /** Whether another connection would meet this error, too. */
  private Reason reason(Throwable cause) {
    boolean lasts = cause instanceof Error error && DaemonThreads.isLasting(error);
    return lasts || loop.isClosed() ? Reason.BROKEN : Reason.LOST;
  }

  /** Ends it soon if it has not connected after twice the limit. */
  void requireConnected(long nowNanos) {
    Duration limit = limits.connect().multipliedBy(2);
    if (nowNanos - madeNanos >= limit.toNanos() && !isConnected()) {
      loop.soon(
          () -> {
            if (!isConnected()) { // it may have sent calls since
              end(Reason.UNCONNECTED, "no connection within " + limit.toMillis() + " ms");
            }
          });
    }
  }

  /** Becomes true on the loop's thread. */
  private synchronized boolean isConnected() {
    return onLoop;
  }

  private synchronized boolean keep(SocketChannel opened) {
    channel = opened;
    return !ended;
  }

  /** On the loop's thread, as all from here on to {@link #end}. */
  private void begin(SocketChannel opened, Session session) {
    synchronized (this) {
      if (ended) {
        close(opened);
        return;
      }
      onLoop = true;
    }
    NetConnection made =
        new NetConnection(
            loop,
            opened,
            session.toClient(),
            session.toServer(),
            new Replies(),
            pushes ? limits.push() : limits.answer());
    connection = made;
    try {
      made.begin();
      drain();
    } catch (IOException | RuntimeException | Error e) {
      made.end(e);
    }
  }

  /** Sends the calls that fit the window. */
  private void drain() {
    draining.set(false);
    NetConnection to = connection;
    if (to == null) {
      return;
    }
    long now = loop.now();
    for (TcpCall call = next(); call != null; call = next()) {
      try {
        send(to, call, now);
      } catch (RuntimeException | Error e) {
        to.end(e);
        call.fail(reason(e), Refusal.of(e));
      }
    }
    to.flush();
  }

  private void send(NetConnection to, TcpCall call, long now) {
    long number = ++numbers;
    to.send(call.kind(), number, call.header(), call.body());
    sent.put(number, new Sent(call, now, to.addedBytes()));
    bytesUnderWay += call.bodyBytes();
  }

  private synchronized @Nullable TcpCall next() {
    TcpCall head = waiting.peek();
    if (head == null
        || ended
        || (bytesUnderWay > 0 && bytesUnderWay + head.bodyBytes() > limits.windowBytes())) {
      return null;
    }
    return waiting.remove();
  }

  private @Nullable TcpCall settle(long number) {
    Sent known = sent.remove(number);
    if (known == null) {
      return null; // it was late
    }
    bytesUnderWay -= known.call().bodyBytes();
    synchronized (this) {
      open--;
    }
    return known.call();
  }

  /** The peer's replies. */
  private final class Replies implements NetConnection.Owner {
    @Override
    public PeerSink begin(Frame frame, byte[] header) throws IOException {
      return switch (frame.kind()) {
        case DONE ->
            new Gathered(
                frame.bodyBytes(),
                answer -> settled(frame.number(), call -> call.answer().complete(answer)));
        case REFUSED ->
            new Gathered(
                frame.bodyBytes(),
                why ->
                    settled(
                        frame.number(),
                        call ->
                            call.fail(Reason.REFUSED, new String(why, StandardCharsets.UTF_8))));
        case QUESTION, PUSH -> throw new IOException("a server that asks");
      };
    }

    private void settled(long number, Consumer<TcpCall> how) {
      TcpCall call = settle(number);
      if (call != null) {
        how.accept(call);
        drain();
      }
    }

    @Override
    public boolean holdsBack(long queuedBytes) {
      return false; // a server that is not read does not read
    }

    @Override
    public void look(long nowNanos) {
      failLate(nowNanos);
    }

    @Override
    public void ended(Throwable cause) {
      end(reason(cause), Refusal.of(cause));
    }
  }

  private void failLate(long now) {
    long limit = (pushes ? limits.push() : limits.answer()).toNanos();
    String within = "within " + (pushes ? limits.push() : limits.answer()).toMillis() + " ms";
    for (Map.Entry<Long, Sent> oldest = oldest();
        oldest != null && now - oldest.getValue().nanos() >= limit;
        oldest = oldest()) {
      NetConnection at = connection;
      if (pushes) {
        end(Reason.LOST, "a push was not taken " + within);
        return;
      } else if (at != null && at.receivedNanos() - oldest.getValue().nanos() < 0) {
        end(Reason.LOST, "no answer came " + within + ", nor anything else");
        return;
      } else if (at != null && at.writtenBytes() < oldest.getValue().endBytes()) {
        end(Reason.LOST, "a question was not taken " + within);
        return;
      }
      TcpCall call = settle(oldest.getKey());
      if (call != null) {
        call.fail(Reason.LOST, "no answer came " + within);
      }
    }
    drain();
  }

  private Map.@Nullable Entry<Long, Sent> oldest() {
    return sent.isEmpty() ? null : sent.entrySet().iterator().next();
  }

  /** Ends the connection, once; every open call then fails for this reason. From any thread. */
  void end(Reason reason, String why) {
    boolean looped;
    SocketChannel at;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      looped = onLoop;
      at = channel;
    }
    whenEnded.accept(this);
    if (looped) {
      loop.soon(
          () -> {
            NetConnection known = connection;
            if (known != null) {
              known.end(new IOException(why));
            }
            failAll(reason, why);
          });
    } else {
      close(at);
      failAll(reason, why);
    }
  }

  private static void close(@Nullable SocketChannel at) {
    try {
      if (at != null) {
        at.close();
      }
    } catch (IOException e) {
      LOG.debug("A connection was not closed in order", e);
    }
  }

  /** After the connection, so that no body is read any more. */
  private void failAll(Reason reason, String why) {
    List<TcpCall> left = new ArrayList<>();
    sent.values().forEach(each -> left.add(each.call()));
    sent.clear();
    synchronized (this) {
      left.addAll(waiting);
      waiting.clear();
    }
    left.forEach(call -> call.fail(reason, why));
    quiet.complete(null);
  }

  /** Completes when the link has ended and its calls have failed. */
  CompletableFuture<Void> quiet() {
    return quiet;
  }
}

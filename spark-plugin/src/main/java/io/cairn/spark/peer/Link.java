package io.cairn.spark.peer;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.Refusal;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one peer, for its questions or for its pushes: connecting, connected, ended.
 * Sends calls in order, within a window in bytes. Thread-safe.
 */
final class Link {
  /*
   * Window
   *
   * The network layer queues every call that it is given, without a bound. So calls wait here, and
   * next() releases one when its body fits the window, or when no other body is under way.
   *
   * Concurrency
   *
   * The monitor guards the fields; nothing is sent and no call completes under it. drain() is
   * entered by any thread, but only one sends: the others count a turn, which the first takes.
   * A call from the event loop itself is queued in the loop, behind those of other threads.
   *
   * End
   *
   * end() acts once. Calls fail only after the socket is closed, since the network layer reads a
   * push's body until then. A late question fails alone; a late push ends the connection.
   */

  private final PeerAddress peer;
  private final PeerLimits limits;
  private final Consumer<Link> whenEnded;
  private final Consumer<Error> broken;

  /** Calls that are neither answered nor failed, including those of {@link #waiting}. */
  private final Set<Call> open = new LinkedHashSet<>();

  private final Queue<Call> waiting = new ArrayDeque<>();
  private final AtomicInteger turns = new AtomicInteger();
  private final CompletableFuture<Void> quiet = new CompletableFuture<>();

  private long bytesUnderWay;
  private @Nullable TransportClient client;
  private boolean ended;

  /**
   * A link that does not connect yet.
   *
   * @param broken takes an error, which the link's end does not name: other links meet it, too
   */
  Link(PeerAddress peer, PeerLimits limits, Consumer<Link> whenEnded, Consumer<Error> broken) {
    this.peer = peer;
    this.limits = limits;
    this.whenEnded = whenEnded;
    this.broken = broken;
  }

  /** Connects and authenticates; waits for both. */
  void connect(TransportClientFactory factory) {
    try {
      TransportClient made = factory.createUnmanagedClient(peer.host(), peer.port());
      JoinedFrames.install(made.getChannel());
      opened(made);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(Reason.CLOSED, "interrupted while connecting");
    } catch (Exception e) { // the layer below throws checked ones undeclared
      end(Reason.UNREACHABLE, "no connection: " + Refusal.of(e));
    } catch (Error e) { // such as a Netty of two class loaders
      end(e);
    }
  }

  /** The connection is made: sends the waiting calls. */
  void opened(TransportClient made) {
    boolean late;
    synchronized (this) {
      client = made;
      late = ended;
    }
    if (late) {
      made.close();
      return;
    }
    made.getChannel()
        .closeFuture()
        .addListener(closed -> end(Reason.LOST, "the connection has ended"));
    drain();
  }

  /** Takes a call, whose stage then completes; false if this link has ended. */
  boolean submit(Call call) {
    boolean full;
    synchronized (this) {
      if (ended) {
        return false;
      }
      full = open.size() >= limits.maxWaiting();
      if (!full) {
        open.add(call);
        waiting.add(call);
      }
    }
    if (full) {
      call.fail(Reason.OVERLOADED, limits.maxWaiting() + " are open already");
    } else {
      drain();
    }
    return true;
  }

  /** Sends the calls that fit the window. */
  private void drain() {
    if (turns.getAndIncrement() > 0) {
      return;
    }
    int seen = 1;
    while (seen > 0) {
      for (Call call = next(); call != null; call = next()) {
        write(call);
      }
      seen = turns.addAndGet(-seen);
    }
  }

  private synchronized @Nullable Call next() {
    Call head = waiting.peek();
    if (head == null || client == null || ended) {
      return null;
    }
    if (bytesUnderWay > 0 && bytesUnderWay + head.bodyBytes() > limits.windowBytes()) {
      return null;
    }
    bytesUnderWay += head.bodyBytes();
    return waiting.remove();
  }

  /** Sends a call through the queue of the event loop, as calls of other threads go. */
  private void write(Call call) {
    TransportClient connection = client;
    if (connection == null) {
      throw new IllegalStateException("a call to " + peer + " before its connection");
    }
    EventLoop loop = connection.getChannel().eventLoop();
    try {
      if (loop.inEventLoop()) {
        loop.execute(() -> send(call, connection));
      } else {
        send(call, connection);
      }
    } catch (RuntimeException e) { // the loop has ended
      end(Reason.LOST, Refusal.of(e));
    } catch (Error e) {
      end(e);
    }
  }

  private void send(Call call, TransportClient connection) {
    try {
      call.send(connection, new Replies(call), () -> late(call));
    } catch (RuntimeException e) {
      end(Reason.LOST, Refusal.of(e));
    } catch (Error e) {
      end(e);
    }
  }

  /** Fails a question that is late, or ends the connection of a push that is. */
  private void late(Call call) {
    String limit = "within " + call.limit().toMillis() + " ms";
    if (call.isPush()) {
      end(Reason.LOST, "a push was not taken " + limit);
    } else if (settle(call)) {
      call.fail(Reason.LOST, "no answer came " + limit);
      drain();
    }
  }

  private synchronized boolean settle(Call call) {
    boolean first = open.remove(call);
    if (first) {
      bytesUnderWay -= call.bodyBytes();
    }
    return first;
  }

  private void end(Error error) {
    broken.accept(error);
    end(Reason.LOST, error.toString());
  }

  /** Ends the connection, once; every open call fails for this reason. */
  void end(Reason reason, String why) {
    Channel channel;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      channel = client == null ? null : client.getChannel();
    }
    whenEnded.accept(this);
    if (channel == null) {
      failAll(reason, why);
    } else {
      channel.close().addListener(closed -> failAll(reason, why));
    }
  }

  private void failAll(Reason reason, String why) {
    List<Call> left;
    synchronized (this) {
      left = List.copyOf(open);
      open.clear();
      waiting.clear();
    }
    left.forEach(call -> call.fail(reason, why));
    quiet.complete(null);
  }

  /** Completes when the link has ended and its calls have failed. */
  CompletableFuture<Void> quiet() {
    return quiet;
  }

  /** The peer's reply to one call. */
  private final class Replies implements RpcResponseCallback {
    private final Call call;

    private Replies(Call call) {
      this.call = call;
    }

    @Override
    public void onSuccess(ByteBuffer frame) {
      boolean refused;
      try {
        refused = PeerFrame.isRefusal(frame);
      } catch (IllegalArgumentException e) {
        end(Reason.LOST, Refusal.of(e));
        return;
      }
      if (settle(call)) {
        if (refused) {
          call.fail(Reason.REFUSED, PeerFrame.reason(PeerFrame.rest(frame)));
        } else {
          call.succeed(PeerFrame.rest(frame));
        }
        drain();
      }
    }

    /** The network layer's own failures leave a body half sent: the connection goes with it. */
    @Override
    public void onFailure(Throwable cause) {
      end(Reason.LOST, Refusal.of(cause));
    }
  }
}

package io.cairn.spark.peer;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException.Reason;
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
 * One connection to one peer, for its questions or for its pushes, from before it is made until it
 * has ended; there is no way back from there. Calls wait for their turn in order: the network layer
 * takes whatever it is given, so that the window is kept here. Thread-safe.
 *
 * <p>Calls fail only when the connection's socket is closed: nobody reads their bodies any more.
 */
final class Link {
  private final PeerAddress peer;
  private final PeerLimits limits;
  private final Consumer<Link> whenEnded;

  /** All that is neither answered nor failed; those of {@link #waiting} are among it. */
  private final Set<Call> open = new LinkedHashSet<>();

  private final Queue<Call> waiting = new ArrayDeque<>();
  private final AtomicInteger turns = new AtomicInteger();
  private final CompletableFuture<Void> quiet = new CompletableFuture<>();

  private long bytesUnderWay;
  private @Nullable TransportClient client;
  private boolean ended;

  Link(PeerAddress peer, PeerLimits limits, Consumer<Link> whenEnded) {
    this.peer = peer;
    this.limits = limits;
    this.whenEnded = whenEnded;
  }

  /** Connects and authenticates; waits for both. */
  void connect(TransportClientFactory factory) {
    try {
      opened(factory.createUnmanagedClient(peer.host(), peer.port()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(Reason.CLOSED, "interrupted while connecting");
    } catch (Exception e) { // the layer below throws checked ones undeclared
      end(Reason.UNREACHABLE, "no connection: " + Refusal.of(e));
    }
  }

  /** The connection is there: what waits may go. */
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

  /** Whether this link is still one to submit to; if so, the call's stage will tell the rest. */
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

  /** Writes what the window lets through; whoever comes meanwhile leaves the work to the first. */
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

  /** Other threads' calls go through the loop's queue: from the loop itself so must these. */
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
    }
  }

  private void send(Call call, TransportClient connection) {
    try {
      call.send(connection, new Replies(call), () -> late(call));
    } catch (RuntimeException e) {
      end(Reason.LOST, Refusal.of(e));
    }
  }

  /** Of a question that is late no more is known; a push that is late is still being read. */
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

  /** Ends the connection, once; everything that is open fails for this reason. */
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

  /** Completes when the link has ended and its calls have been told. */
  CompletableFuture<Void> quiet() {
    return quiet;
  }

  /** What the peer says to one call. */
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

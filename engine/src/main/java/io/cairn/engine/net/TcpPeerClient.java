package io.cairn.engine.net;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks peers and pushes to them, and serves none. A peer has two connections, one for questions and
 * one for pushes, each made when first needed. The contracts of its methods are those of {@link
 * PeerTransport}. Thread-safe.
 */
public final class TcpPeerClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TcpPeerClient.class);
  private static final long CLOSE_MILLIS = 10_000;

  static final ThreadFactory CONNECTING = DaemonThreads.named("cairn-net-connect");

  private final PeerSecret secret;
  private final PeerLimits limits;
  private final NetLoops loops;

  /** One thread per connection that is being made; the bound on links bounds them. */
  private final ExecutorService connecting;

  private final ConcurrentMap<Way, TcpLink> links = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private record Way(PeerAddress peer, boolean pushes) {}

  /**
   * Connects to nobody before it is asked to.
   *
   * @throws IOException if the system refuses what it needs, or this Java cannot seal connections
   */
  public TcpPeerClient(PeerSecret secret, PeerLimits limits) throws IOException {
    this(secret, limits, rehearsed(secret), CONNECTING);
  }

  private static NetLoops rehearsed(PeerSecret secret) throws IOException {
    secret.rehearse();
    return NetLoops.start(System::nanoTime);
  }

  /**
   * On loops that end with it.
   *
   * @param threads for connecting, such as {@link #CONNECTING}
   */
  TcpPeerClient(PeerSecret secret, PeerLimits limits, NetLoops loops, ThreadFactory threads) {
    this.secret = secret;
    this.limits = limits;
    this.loops = loops;
    this.connecting = Executors.newCachedThreadPool(threads);
    loops.questions().watch(now -> links.values().forEach(link -> link.requireConnected(now)));
  }

  /** As {@link PeerTransport#ask}. */
  public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
    requireAtMost(PeerTransport.MAX_MESSAGE_BYTES, request.length, "a question");
    return submit(new Way(peer, false), TcpCall.question(peer, request));
  }

  /** As {@link PeerTransport#push}. */
  public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
    requireAtMost(PeerTransport.MAX_HEADER_BYTES, header.length, "a header");
    requireAtMost(PeerTransport.MAX_BODY_BYTES, body.remaining(), "a body");
    CompletableFuture<Void> taken = new CompletableFuture<>();
    var unused =
        submit(new Way(peer, true), TcpCall.push(peer, header, body))
            .whenComplete(
                (nothing, failure) -> {
                  if (failure == null) {
                    taken.complete(null);
                  } else {
                    taken.completeExceptionally(failure);
                  }
                });
    return taken;
  }

  private static void requireAtMost(int limit, int bytes, String what) {
    if (bytes > limit) {
      throw new IllegalArgumentException(
          what + " for a peer has " + bytes + " bytes, more than " + limit);
    }
  }

  private CompletionStage<byte[]> submit(Way way, TcpCall call) {
    boolean submitted = false;
    while (!submitted) {
      if (closed.get()) {
        call.fail(Reason.CLOSED, "this transport is closed");
        submitted = true;
      } else if (links.size() >= 2 * limits.maxConnections() && !links.containsKey(way)) {
        call.fail(Reason.OVERLOADED, links.size() + " connections are open");
        submitted = true;
      } else {
        TcpLink known = links.get(way);
        submitted = known == null ? connect(way, call) : known.submit(call);
      }
    }
    return call.answer();
  }

  /** Connects for a call, which a link that cannot be made fails; false if it was not taken. */
  private boolean connect(Way way, TcpCall call) {
    try {
      TcpLink made =
          new TcpLink(
              way.peer(),
              secret,
              way.pushes(),
              limits,
              loops.of(way.pushes()),
              ended -> links.remove(way, ended));
      TcpLink first = links.putIfAbsent(way, made);
      return first == null ? start(made, call) : first.submit(call);
    } catch (IOException | OutOfMemoryError e) { // no thread for pushes is left
      call.fail(Reason.UNCONNECTED, e.toString());
      return true;
    }
  }

  private boolean start(TcpLink made, TcpCall call) {
    try {
      if (!made.submit(call)) { // before connecting can fail, so that this fails the call, too
        return false;
      }
      connecting.execute(made::connect);
      return true;
    } catch (RejectedExecutionException e) {
      made.end(Reason.CLOSED, "this transport is closed");
      return true;
    } catch (OutOfMemoryError e) { // no thread is left
      made.end(Reason.UNCONNECTED, e.toString());
      throw e;
    }
  }

  /** Ends all work, as {@link PeerTransport#close}. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    Set<TcpLink> ending = new HashSet<>(endLinks());
    connecting.shutdownNow();
    // a link is registered before a thread connects it, so none is missed
    ending.addAll(endLinks());
    awaitQuiet(ending);
    loops.close();
  }

  private List<TcpLink> endLinks() {
    List<TcpLink> ending = List.copyOf(links.values());
    ending.forEach(link -> link.end(Reason.CLOSED, "this transport is closed"));
    return ending;
  }

  private static void awaitQuiet(Set<TcpLink> ending) {
    try {
      CompletableFuture.allOf(
              ending.stream().map(TcpLink::quiet).toArray(CompletableFuture<?>[]::new))
          .get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("Calls to peers were still under way {} ms after closing", CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.cairn.spark.peer;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.threads.Advice;
import io.cairn.core.threads.DaemonThreads;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.util.TransportConf;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks peers and pushes to them, and serves none. A peer has two connections, one for questions and
 * one for pushes, each made when first needed. The contracts of its methods are those of {@link
 * PeerTransport}. Thread-safe.
 */
public final class SparkPeerClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SparkPeerClient.class);
  private static final long CLOSE_MILLIS = 10_000;

  private final PeerLimits limits;
  private final TransportContext outward;
  private final TransportClientFactory clients;

  /** One thread per connection that is being made; the bound on links bounds them. */
  private final ExecutorService connecting =
      Executors.newCachedThreadPool(DaemonThreads.named("cairn-peer-connect"));

  private final ConcurrentMap<Way, Link> links = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The error that has ended this, for those who call. */
  private volatile @Nullable String broken;

  private record Way(PeerAddress peer, boolean pushes) {}

  /** Connects to nobody before it is asked to. */
  public SparkPeerClient(PeerSecurity security, PeerLimits limits) {
    TransportConf conf = PeerConf.of(security, limits);
    this.limits = limits;
    outward = new TransportContext(conf, new NoService(), false);
    clients = outward.createClientFactory(security.client(conf));
  }

  /** As {@link PeerTransport#ask}. */
  public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
    requireAtMost(PeerTransport.MAX_MESSAGE_BYTES, request.length, "a question");
    return submit(new Way(peer, false), Call.question(peer, request, limits));
  }

  /** As {@link PeerTransport#push}. */
  public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
    requireAtMost(PeerTransport.MAX_HEADER_BYTES, header.length, "a header");
    requireAtMost(PeerTransport.MAX_BODY_BYTES, body.remaining(), "a body");
    CompletableFuture<Void> taken = new CompletableFuture<>();
    submit(new Way(peer, true), Call.push(peer, header, body, limits))
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

  private CompletionStage<byte[]> submit(Way way, Call call) {
    boolean submitted = false;
    while (!submitted) {
      String why = broken;
      if (why != null) {
        call.fail(Reason.BROKEN, why);
        submitted = true;
      } else if (closed.get()) {
        call.fail(Reason.CLOSED, "this transport is closed");
        submitted = true;
      } else if (links.size() >= 2 * limits.maxConnections() && !links.containsKey(way)) {
        call.fail(Reason.OVERLOADED, links.size() + " connections are open");
        submitted = true;
      } else {
        submitted = link(way).submit(call);
      }
    }
    return call.answer();
  }

  private Link link(Way way) {
    Link known = links.get(way);
    if (known != null) {
      return known;
    }
    Link made = new Link(way.peer(), limits, ended -> links.remove(way, ended), this::failed);
    Link first = links.putIfAbsent(way, made);
    if (first != null) {
      return first;
    }
    try {
      connecting.execute(() -> made.connect(clients));
    } catch (RejectedExecutionException e) {
      made.end(Reason.CLOSED, "this transport is closed");
    }
    return made;
  }

  /** Takes an error of a link. If others would meet it, too, all calls fail from now on. */
  private void failed(Error error) {
    DaemonThreads.report("The transport to peers", error);
    if (DaemonThreads.isLasting(error)) {
      String why = "the transport is switched off by " + error + ". " + Advice.on(error);
      broken = why;
      links.values().forEach(link -> link.end(Reason.BROKEN, why));
    }
  }

  /** Ends all work, as {@link PeerTransport#close}. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    // before the threads are interrupted: their links would fail as UNREACHABLE
    Set<Link> ending = new HashSet<>(endLinks());
    connecting.shutdownNow();
    // a link is registered before a thread connects it, so none is missed
    ending.addAll(endLinks());
    try {
      if (!awaitQuiet(ending)) {
        LOG.warn("Calls to peers were still under way {} ms after closing", CLOSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    clients.close();
    outward.close();
  }

  private List<Link> endLinks() {
    List<Link> ending = List.copyOf(links.values());
    ending.forEach(link -> link.end(Reason.CLOSED, "this transport is closed"));
    return ending;
  }

  private static boolean awaitQuiet(Set<Link> ending) throws InterruptedException {
    CompletableFuture<?>[] quiet =
        ending.stream().map(Link::quiet).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(quiet).get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }
}

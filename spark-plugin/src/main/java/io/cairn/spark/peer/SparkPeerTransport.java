package io.cairn.spark.peer;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import java.io.IOException;
import java.net.BindException;
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
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.util.TransportConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Peers over Spark's network layer. A peer has two connections, one for questions and one for
 * pushes, each made when first needed. Sinks receive bytes in the socket's own buffers; bodies are
 * sent, or encrypted, from where they lie.
 */
public final class SparkPeerTransport implements PeerTransport {
  private static final Logger LOG = LoggerFactory.getLogger(SparkPeerTransport.class);
  private static final long CLOSE_MILLIS = 10_000;
  private static final int MOST_PORT = 65_535;

  private final PeerAddress address;
  private final PeerLimits limits;
  private final Reception reception;
  private final TransportContext inward;
  private final TransportContext outward;
  private final TransportServer server;
  private final TransportClientFactory clients;

  /** One thread per connection that is being made; the bound on links bounds them. */
  private final ExecutorService connecting =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "cairn-peer-connect");
            thread.setDaemon(true);
            return thread;
          });

  private final ConcurrentMap<Way, Link> links = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private record Way(PeerAddress peer, boolean pushes) {}

  private SparkPeerTransport(
      String host, int port, PeerService service, PeerSecurity security, PeerLimits limits) {
    TransportConf conf = PeerConf.of(security, limits);
    this.limits = limits;
    reception = new Reception(service, limits);
    inward = new TransportContext(conf, reception, false);
    server = inward.createServer(host, port, security.server(conf));
    address = new PeerAddress(host, server.getPort());
    outward = new TransportContext(conf, new NoService(), false);
    clients = outward.createClientFactory(security.client(conf));
  }

  /**
   * Opens a transport, which serves at once.
   *
   * @param host name or address of this machine, which peers can resolve, and which is bound
   * @param port 0 for any free one
   * @throws IOException naming both, if they cannot be bound
   */
  public static SparkPeerTransport open(
      String host, int port, PeerService service, PeerSecurity security, PeerLimits limits)
      throws IOException {
    try {
      return new SparkPeerTransport(host, port, service, security, limits);
    } catch (Exception e) { // the layer below throws checked ones undeclared
      throw new IOException("peers cannot be served at " + host + ":" + port + ": " + e, e);
    }
  }

  /**
   * Opens a transport at the first free port of a range; otherwise as {@link #open}.
   *
   * @param first the first port; 0 for any free one
   * @param more the number of ports after the first that may be tried
   */
  public static SparkPeerTransport openWithin(
      String host, int first, int more, PeerService service, PeerSecurity security)
      throws IOException {
    int last = first == 0 ? 0 : Math.min(MOST_PORT, first + more);
    for (int port = first; port < last; port++) {
      try {
        return open(host, port, service, security, PeerLimits.DEFAULT);
      } catch (IOException e) {
        if (!(e.getCause() instanceof BindException)) {
          throw e;
        }
        LOG.debug("{} is taken, the next port is tried", port, e);
      }
    }
    return open(host, last, service, security, PeerLimits.DEFAULT);
  }

  @Override
  public PeerAddress address() {
    return address;
  }

  @Override
  public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
    requireAtMost(MAX_MESSAGE_BYTES, request.length, "a question");
    return submit(new Way(peer, false), Call.question(peer, request, limits));
  }

  @Override
  public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
    requireAtMost(MAX_HEADER_BYTES, header.length, "a header");
    requireAtMost(MAX_BODY_BYTES, body.remaining(), "a body");
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
      if (closed.get()) {
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
    Link made = new Link(way.peer(), limits, ended -> links.remove(way, ended));
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
      server.close();
      boolean quiet = reception.close(CLOSE_MILLIS) && awaitQuiet(ending);
      if (!quiet) {
        LOG.warn("Peers of {} were still at work {} ms after closing", address, CLOSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    clients.close();
    inward.close();
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

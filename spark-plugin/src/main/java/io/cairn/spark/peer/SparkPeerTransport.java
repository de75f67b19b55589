package io.cairn.spark.peer;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.util.TransportConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Peers over Spark's network layer. Sinks receive bytes in the socket's own buffers; bodies are
 * sent, or encrypted, from where they lie.
 */
public final class SparkPeerTransport implements PeerTransport {
  private static final Logger LOG = LoggerFactory.getLogger(SparkPeerTransport.class);
  private static final long CLOSE_MILLIS = 10_000;
  private static final int MOST_PORT = 65_535;

  private final PeerAddress address;
  private final Reception reception;
  private final TransportContext inward;
  private final TransportServer server;
  private final SparkPeerClient client;
  private final AtomicBoolean closed = new AtomicBoolean();

  private SparkPeerTransport(
      String host, int port, PeerService service, PeerSecurity security, PeerLimits limits) {
    TransportConf conf = PeerConf.of(security, limits);
    reception = new Reception(service, limits);
    inward = new TransportContext(conf, reception, false);
    server = inward.createServer(host, port, security.server(conf));
    address = new PeerAddress(host, server.getPort());
    client = new SparkPeerClient(security, limits);
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
      throw unserved(host, port, e);
    } catch (LinkageError e) { // such as a Netty of two class loaders
      DaemonThreads.report("The server for peers", e);
      throw unserved(host, port, e);
    }
  }

  private static IOException unserved(String host, int port, Throwable cause) {
    return new IOException("peers cannot be served at " + host + ":" + port + ": " + cause, cause);
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
    return openWithin(host, first, more, service, security, PeerLimits.DEFAULT);
  }

  /** Like the other method, with limits. */
  public static SparkPeerTransport openWithin(
      String host,
      int first,
      int more,
      PeerService service,
      PeerSecurity security,
      PeerLimits limits)
      throws IOException {
    int last = first == 0 ? 0 : Math.min(MOST_PORT, first + more);
    for (int port = first; port < last; port++) {
      try {
        return open(host, port, service, security, limits);
      } catch (IOException e) {
        if (!(e.getCause() instanceof BindException)) {
          throw e;
        }
        LOG.debug("{} is taken, the next port is tried", port, e);
      }
    }
    return open(host, last, service, security, limits);
  }

  @Override
  public PeerAddress address() {
    return address;
  }

  @Override
  public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
    return client.ask(peer, request);
  }

  @Override
  public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
    return client.push(peer, header, body);
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    client.close();
    try {
      server.close();
      if (!reception.close(CLOSE_MILLIS)) {
        LOG.warn("Peers wrote to {} still, {} ms after closing", address, CLOSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    inward.close();
  }
}

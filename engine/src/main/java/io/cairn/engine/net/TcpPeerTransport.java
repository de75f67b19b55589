package io.cairn.engine.net;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Peers over TCP, which prove a {@link PeerSecret} to each other. It says whether all that follows
 * is sealed, which encrypts it and protects it against changes. Otherwise bodies are sent from
 * where they lie.
 */
public final class TcpPeerTransport implements PeerTransport {
  private static final Logger LOG = LoggerFactory.getLogger(TcpPeerTransport.class);
  private static final int MOST_PORT = 65_535;

  private final PeerAddress address;
  private final TcpPeerServer server;
  private final TcpPeerClient client;

  private TcpPeerTransport(PeerAddress address, TcpPeerServer server, TcpPeerClient client) {
    this.address = address;
    this.server = server;
    this.client = client;
  }

  /**
   * Opens a transport, which serves at once.
   *
   * @param host name or address of this machine, which peers can resolve, and which is bound
   * @param port 0 for any free one
   * @throws IOException naming both, if they cannot be bound, or if this Java cannot seal
   *     connections
   */
  public static TcpPeerTransport open(
      String host, int port, PeerSecret secret, PeerService service, PeerLimits limits)
      throws IOException {
    return open(host, port, secret, service, limits, System::nanoTime);
  }

  /**
   * Opens a transport at the first free port of a range; otherwise as {@link #open}.
   *
   * @param first the first port; 0 for any free one
   * @param more the number of ports after the first that may be tried
   */
  public static TcpPeerTransport openWithin(
      String host, int first, int more, PeerSecret secret, PeerService service, PeerLimits limits)
      throws IOException {
    return openWithin(host, host, first, more, secret, service, limits);
  }

  /**
   * Likewise, for a host that binds another address than its peers reach, such as a container.
   *
   * @param bound name or address of this machine, or the wildcard
   * @param host which peers can resolve, and which leads to the same port there
   */
  public static TcpPeerTransport openWithin(
      String bound,
      String host,
      int first,
      int more,
      PeerSecret secret,
      PeerService service,
      PeerLimits limits)
      throws IOException {
    int last = first == 0 ? 0 : Math.min(MOST_PORT, first + more);
    for (int port = first; port < last; port++) {
      try {
        return open(bound, host, port, secret, service, limits, System::nanoTime);
      } catch (IOException e) {
        if (!(e.getCause() instanceof BindException) || isForeign(bound)) {
          throw e;
        }
        LOG.debug("{} is taken, the next port is tried", port, e);
      }
    }
    return open(bound, host, last, secret, service, limits, System::nanoTime);
  }

  /** Whether no port of the address can be bound: it is none of this machine. */
  private static boolean isForeign(String bound) {
    try (ServerSocketChannel any = ServerSocketChannel.open()) {
      TcpPeerServer.bind(any, new InetSocketAddress(bound, 0));
      return false;
    } catch (IOException e) {
      LOG.debug("{} is no address of this machine", bound, e);
      return true;
    }
  }

  /** Opens a transport by this clock. */
  static TcpPeerTransport open(
      String host,
      int port,
      PeerSecret secret,
      PeerService service,
      PeerLimits limits,
      LongSupplier nanoTime)
      throws IOException {
    return open(host, host, port, secret, service, limits, nanoTime);
  }

  private static TcpPeerTransport open(
      String bound,
      String host,
      int port,
      PeerSecret secret,
      PeerService service,
      PeerLimits limits,
      LongSupplier nanoTime)
      throws IOException {
    ServerSocketChannel listening = ServerSocketChannel.open();
    try {
      secret.rehearse();
      TcpPeerServer.bind(listening, new InetSocketAddress(bound, port));
      NetLoops loops = NetLoops.start(nanoTime);
      TcpPeerClient client = new TcpPeerClient(secret, limits, loops, TcpPeerClient.CONNECTING);
      try {
        TcpPeerServer server = new TcpPeerServer(listening, secret, service, limits, loops);
        return new TcpPeerTransport(new PeerAddress(host, server.port()), server, client);
      } catch (IOException | RuntimeException | Error e) {
        client.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      listening.close();
      throw new IOException("peers cannot be served at " + bound + ":" + port + ": " + e, e);
    } catch (Error e) {
      listening.close();
      throw e;
    }
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

  /** The number of connections that have proven nothing yet; for tests. */
  int strangers() {
    return server.strangers();
  }

  @Override
  public void close() {
    client.close();
  }
}

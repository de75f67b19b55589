package io.cairn.engine.coordination;

import io.cairn.Member;
import io.cairn.core.protocol.CoordinatorMessage;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordinates groups whose ranks run in several processes without Spark. The processes meet at one
 * address. Of those that join there, the first that can bind it hosts the coordinators, until it
 * ends; the next join after that hosts them anew. Thread-safe; threads are daemons.
 */
public final class HttpCoordination implements Coordination, AutoCloseable {
  /*
   * The host's end
   *
   * Coordinators hold nothing beyond the store. Processes without a host keep training, log a
   * warning and ask again. The next host does not know them, so their ranks are fenced, join again,
   * and the group begins a new epoch.
   */
  private static final Logger LOG = LoggerFactory.getLogger(HttpCoordination.class);

  private final HttpAddress address;
  private final ExchangeServer server;
  private @Nullable HttpExchangeServer hosted;
  private @Nullable RemoteCoordination remote;
  private boolean closed;

  /**
   * A coordination that neither hosts nor connects before a rank joins.
   *
   * @param server serves if this process hosts
   */
  public HttpCoordination(HttpAddress address, ExchangeServer server) {
    this.address = address;
    this.server = server;
  }

  /**
   * Connects a rank, and hosts the coordinators if no process does.
   *
   * @throws IllegalStateException after {@link #close}
   */
  @Override
  public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
    return connected().connect(member, incarnation, inbox);
  }

  private synchronized RemoteCoordination connected() {
    if (closed) {
      throw new IllegalStateException("the coordination at " + address + " is closed");
    }
    hostIfFree();
    RemoteCoordination connected = remote;
    if (connected == null) {
      connected =
          new RemoteCoordination(
              UUID.randomUUID().toString(), "", "", new HttpExchangeClient(address));
      remote = connected;
    }
    return connected;
  }

  private void hostIfFree() {
    if (hosted == null) {
      try {
        hosted = new HttpExchangeServer(address, server);
        LOG.info("This process coordinates at {}", address);
      } catch (IOException | UnresolvedAddressException e) {
        LOG.debug("Another process coordinates at {}", address, e);
      }
    }
  }

  /** Sends the last messages, and ends hosting without waiting for ranks that still train. */
  @Override
  public void close() {
    RemoteCoordination connected;
    HttpExchangeServer serving;
    synchronized (this) {
      closed = true;
      connected = remote;
      serving = hosted;
    }
    if (connected != null) {
      connected.close();
    }
    if (serving != null) {
      serving.close();
    }
  }
}

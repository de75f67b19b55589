package io.cairn.engine.coordination;

import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerTransport;
import java.util.concurrent.CompletionStage;

/**
 * Carries requests of a {@link RemoteCoordination} to an {@link ExchangeServer}, as questions of a
 * {@link PeerTransport}. Thread-safe.
 */
@FunctionalInterface
public interface Exchange {
  /**
   * Sends a request; returns at once. Several may be under way.
   *
   * @param request at most {@link PeerTransport#MAX_MESSAGE_BYTES} long
   * @return completes with the reply within a bounded time, at most {@link
   *     ExchangeServer#LONGEST_HOLD} after the request if nothing is slow. Fails with a {@link
   *     PeerException}, whose reason says whether anybody serves there, and whether to ask again
   */
  CompletionStage<byte[]> ask(byte[] request);

  /**
   * A server has registered this process, whose ranks are about to join there. May wait for some
   * seconds; called on the thread of the {@link RemoteCoordination}.
   */
  default void registered() {}
}

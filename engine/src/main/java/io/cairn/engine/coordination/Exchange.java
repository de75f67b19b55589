package io.cairn.engine.coordination;

import io.cairn.core.peer.PeerTransport;
import java.util.concurrent.CompletionStage;

/** Carries requests of a {@link RemoteCoordination} to an {@link ExchangeServer}. Thread-safe. */
@FunctionalInterface
public interface Exchange {
  /**
   * Sends a request; returns at once. Several may be under way.
   *
   * @return completes with the reply within a bounded time, at most {@link
   *     ExchangeServer#LONGEST_HOLD} after the request if nothing is slow. Fails with {@link
   *     java.net.ConnectException} if no process serves at the address, with another exception if
   *     no reply came; the request may have arrived all the same
   */
  CompletionStage<byte[]> ask(byte[] request);

  /** The bytes of the longest request that it carries; by default those of a peer's question. */
  default int maxBytes() {
    return PeerTransport.MAX_MESSAGE_BYTES;
  }
}

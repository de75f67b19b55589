package io.cairn.engine.coordination;

/** Carries requests of a {@link RemoteCoordination} to an {@link ExchangeServer}. */
@FunctionalInterface
public interface Exchange {
  /**
   * Sends a request and waits for its reply, for a bounded time.
   *
   * @throws java.net.ConnectException if no process serves at the address
   * @throws Exception if no reply came; the request may have arrived all the same
   */
  byte[] ask(byte[] request) throws Exception;
}

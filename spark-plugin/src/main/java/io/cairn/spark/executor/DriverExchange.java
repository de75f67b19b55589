package io.cairn.spark.executor;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.engine.coordination.Exchange;
import io.cairn.spark.peer.PeerLimits;
import io.cairn.spark.peer.PeerSecurity;
import io.cairn.spark.peer.SparkPeerClient;
import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Carries an executor's requests to the driver's port, over one connection. Thread-safe. */
final class DriverExchange implements Exchange, AutoCloseable {
  private final PeerAddress driver;
  private final SparkPeerClient client;

  /** Connects at the first request. */
  DriverExchange(PeerAddress driver, PeerSecurity security) {
    this.driver = driver;
    this.client = new SparkPeerClient(security, PeerLimits.DEFAULT);
  }

  @Override
  public CompletionStage<byte[]> ask(byte[] request) {
    return client.ask(driver, request).exceptionallyCompose(DriverExchange::failed);
  }

  private static CompletionStage<byte[]> failed(Throwable failure) {
    Throwable wrapped = failure instanceof CompletionException ? failure.getCause() : null;
    Throwable cause = wrapped == null ? failure : wrapped;
    boolean nobody =
        cause instanceof PeerException peer && peer.reason() == PeerException.Reason.UNREACHABLE;
    return CompletableFuture.failedFuture(nobody ? nobodyServes(cause) : cause);
  }

  private static Throwable nobodyServes(Throwable cause) {
    return new ConnectException("the driver does not serve: " + cause.getMessage())
        .initCause(cause);
  }

  @Override
  public void close() {
    client.close();
  }
}

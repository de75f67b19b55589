package io.cairn.spark.executor;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.wire.PageReport;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Exchange;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerClient;
import io.cairn.spark.ui.PageJson;
import io.cairn.spark.ui.Report;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries an executor's requests to the driver's port, over one connection. Thread-safe. */
final class DriverExchange implements Exchange, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverExchange.class);
  private static final long REPORT_SECONDS = 5;

  private final PeerAddress driver;
  private final TcpPeerClient client;

  /**
   * Connects at the first request.
   *
   * @throws IOException if the system refuses what it needs
   */
  DriverExchange(PeerAddress driver, PeerSecret secret) throws IOException {
    this.driver = driver;
    this.client = new TcpPeerClient(secret, PeerLimits.DEFAULT);
  }

  @Override
  public CompletionStage<byte[]> ask(byte[] request) {
    return client.ask(driver, request);
  }

  /**
   * Sends a report, which the driver may miss. Waits for the answer for some seconds, so that only
   * one message of a thread is under way.
   *
   * @return whether the driver has answered
   */
  boolean report(Report report) {
    try {
      client
          .ask(driver, Wire.encode(new PageReport(PageJson.encode(report))))
          .toCompletableFuture()
          .get(REPORT_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("The driver did not take a report", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  @Override
  public void close() {
    client.close();
  }
}

package io.cairn.spark.driver;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.PageReport;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.StandbyRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.Services;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.sharing.desk.SharingDesk;
import io.cairn.spark.ranks.StandbyDesk;
import io.cairn.spark.settings.SparkSettings;
import io.cairn.spark.ui.PageJson;
import io.cairn.spark.ui.Report;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the driver serves its executors: coordination, the desk and standbys. Answers wait for
 * other executors, and Spark's single thread for plugin messages must not wait.
 */
final class DriverPort implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverPort.class);

  private final PeerTransport transport;

  private DriverPort(PeerTransport transport) {
    this.transport = transport;
  }

  /**
   * Opens the port, which serves at once.
   *
   * @param first the first port that is tried; 0 for any free one
   * @param secret that executors prove
   * @param reports takes those of executors
   * @throws IOException naming host and port, if they cannot be bound
   */
  static DriverPort open(
      int first,
      PeerSecret secret,
      ExchangeServer exchange,
      StandbyDesk standbys,
      SharingDesk desk,
      Consumer<Report> reports,
      SparkContext spark)
      throws IOException {
    PeerTransport transport =
        TcpPeerTransport.openWithin(
            spark.conf().get("spark.driver.host"),
            first,
            SparkSettings.portRetries(spark.conf()),
            secret,
            services(exchange, standbys, desk::answer, reports),
            PeerLimits.DRIVER);
    desk.sendThrough(transport);
    return new DriverPort(transport);
  }

  /** The services of a driver. */
  static Services services(
      ExchangeServer exchange, StandbyDesk standbys, PeerService desk, Consumer<Report> reports) {
    return new Services()
        .with(ExchangeRequest.class, exchange::answer)
        .with(PeerRequest.ToDesk.class, desk)
        .with(
            StandbyRequest.class,
            question -> standbys.answer(Wire.decode(question, StandbyRequest.class)))
        .with(
            PageReport.class,
            question -> {
              PageReport report = Wire.decode(question, PageReport.class);
              reports.accept(PageJson.decodeReport(report.json()));
              return CompletableFuture.completedFuture(new byte[0]);
            });
  }

  /** The address, which executors reach. */
  PeerAddress address() {
    return transport.address();
  }

  @Override
  public void close() {
    try {
      transport.close();
    } catch (Exception e) {
      LOG.warn("The driver's port was not closed in order", e);
    }
  }
}

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
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the driver serves its executors: coordination, the desk and standbys. Answers wait for
 * other executors, and Spark's single thread for plugin messages must not wait.
 */
final class DriverPort implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverPort.class);
  private static final String HOST = "spark.driver.host";

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
   * @param conf names the address to bind, and the one that executors reach
   * @throws IOException naming host and port, if they cannot be bound
   */
  static DriverPort open(
      int first,
      PeerSecret secret,
      ExchangeServer exchange,
      StandbyDesk standbys,
      SharingDesk desk,
      Consumer<Report> reports,
      SparkConf conf)
      throws IOException {
    PeerTransport transport =
        TcpPeerTransport.openWithin(
            conf.get("spark.driver.bindAddress", conf.get(HOST)),
            conf.get(HOST),
            first,
            SparkSettings.portRetries(conf),
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

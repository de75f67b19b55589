package io.cairn.spark.driver;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.PageReport;
import io.cairn.core.wire.StandbyRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.runtime.MeetingService;
import io.cairn.engine.sharing.desk.SharingDesk;
import io.cairn.spark.ranks.StandbyDesk;
import io.cairn.spark.settings.SparkSettings;
import io.cairn.spark.ui.PageJson;
import io.cairn.spark.ui.Report;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
            new Service(new MeetingService(exchange, desk::answer), standbys, reports),
            PeerLimits.DRIVER);
    desk.sendThrough(transport);
    return new DriverPort(transport);
  }

  /** Decodes each question once, and gives it to the one whom it is for. */
  record Service(MeetingService meeting, StandbyDesk standbys, Consumer<Report> reports)
      implements PeerService {
    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      Message message = Wire.decode(question, Message.class);
      if (message instanceof PageReport report) {
        reports.accept(PageJson.decodeReport(report.json()));
        return CompletableFuture.completedFuture(new byte[0]);
      } else if (message instanceof StandbyRequest request) {
        return standbys.answer(request);
      }
      return meeting.answer(message);
    }

    @Override
    public PeerSink receive(byte[] header, long bytes) throws IOException {
      return meeting.receive(header, bytes);
    }
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

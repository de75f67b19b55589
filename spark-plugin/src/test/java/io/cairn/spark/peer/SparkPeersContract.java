package io.cairn.spark.peer;

import io.cairn.core.peer.MortalPeer;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.peer.PeerTransportContract;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;

/** Spark's network layer keeps the contract, with real processes and kill -9. */
abstract class SparkPeersContract extends PeerTransportContract {
  static final String HOST = "127.0.0.1";

  private final TestSecurity security;

  SparkPeersContract(TestSecurity security) {
    this.security = security;
  }

  @Override
  protected PeerTransport serve(PeerService service) throws IOException {
    return serve(service, PeerLimits.DEFAULT);
  }

  @Override
  protected PeerTransport serveImpatiently(PeerService service) throws IOException {
    PeerLimits d = PeerLimits.DEFAULT;
    Duration little = Duration.ofMillis(300);
    return serve(
        service,
        new PeerLimits(
            d.connect(),
            little,
            little,
            d.windowBytes(),
            d.maxWaiting(),
            d.maxConnections(),
            d.maxQuestions(),
            d.threads()));
  }

  private PeerTransport serve(PeerService service, PeerLimits limits) throws IOException {
    return SparkPeerTransport.open(HOST, 0, service, security.with(TestSecurity.SECRET), limits);
  }

  @Override
  protected MortalPeer mortalReceiver() throws IOException {
    return PeerProcess.receiver(security);
  }

  @Override
  protected MortalPeer mortalSender(PeerAddress to) throws IOException {
    return PeerProcess.sender(security, to);
  }

  @Override
  protected PeerAddress nobody() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return new PeerAddress(HOST, free.getLocalPort());
    }
  }
}

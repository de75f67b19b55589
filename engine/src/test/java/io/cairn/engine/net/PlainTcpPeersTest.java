package io.cairn.engine.net;

import io.cairn.core.peer.MortalPeer;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.peer.PeerTransportContract;
import io.cairn.process.FreePort;
import java.io.IOException;
import java.time.Duration;

/** TCP keeps the contract if nothing is sealed, and bodies are sent from where they lie. */
class PlainTcpPeersTest extends PeerTransportContract {
  private static final String HOST = "127.0.0.1";

  private static PeerTransport serve(PeerService service, Duration time) throws IOException {
    PeerLimits d = PeerLimits.DEFAULT;
    PeerLimits limits =
        new PeerLimits(
            d.connect(),
            time,
            time,
            d.windowBytes(),
            d.maxWaiting(),
            d.maxConnections(),
            d.maxQuestions());
    return TcpPeerTransport.open(HOST, 0, TcpPeerProcess.plain(), service, limits);
  }

  @Override
  protected PeerTransport serve(PeerService service) throws IOException {
    return serve(service, PeerLimits.DEFAULT.push());
  }

  @Override
  protected PeerTransport serveImpatiently(PeerService service) throws IOException {
    return serve(service, Duration.ofMillis(300));
  }

  @Override
  protected MortalPeer mortalReceiver() throws IOException {
    return TcpPeerProcess.start(false);
  }

  @Override
  protected MortalPeer mortalSender(PeerAddress to) throws IOException {
    return TcpPeerProcess.start(false, to.host(), to.port());
  }

  @Override
  protected PeerAddress nobody() throws IOException {
    return new PeerAddress(HOST, FreePort.find());
  }
}

package io.cairn.spark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.peer.MortalPeer;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.peer.PeerTransportContract;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

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

  /** So the driver notices within milliseconds that an executor has died. */
  @Test
  void anOpenAnswerIsCancelledWhenTheConnectionOfItsPeerEnds() throws Exception {
    CompletableFuture<byte[]> open = new CompletableFuture<>();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    PeerService holds =
        new PeerService() {
          @Override
          public CompletionStage<byte[]> answer(byte[] question) {
            asked.complete(null);
            return open;
          }

          @Override
          public PeerSink receive(byte[] header, long bytes) throws IOException {
            throw new IOException("takes no chunks");
          }
        };
    try (PeerTransport serving = serve(holds)) {
      PeerTransport asking = serve(holds);
      var unused = asking.ask(serving.address(), new byte[] {1});
      asked.get(60, TimeUnit.SECONDS);
      assertThat(open).isNotDone();

      asking.close();

      assertThatThrownBy(() -> open.get(60, TimeUnit.SECONDS))
          .isInstanceOf(CancellationException.class);
    }
  }
}

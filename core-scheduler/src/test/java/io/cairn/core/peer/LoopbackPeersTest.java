package io.cairn.core.peer;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The fake keeps the contract. */
class LoopbackPeersTest extends PeerTransportContract {
  private final LoopbackPeers peers = new LoopbackPeers(42);

  @Override
  protected PeerTransport serve(PeerService service) {
    return peers.open(service, Duration.ofMinutes(1));
  }

  @Override
  protected PeerTransport serveImpatiently(PeerService service) {
    return peers.open(service, Duration.ofMillis(100));
  }

  @Override
  protected MortalPeer mortalReceiver() {
    Stalling stalling = new Stalling();
    PeerTransport transport = serve(stalling);
    return new MortalPeer() {
      @Override
      public PeerAddress address() {
        return transport.address();
      }

      @Override
      public void awaitBusy() throws InterruptedException {
        stalling.awaitStalled();
      }

      @Override
      public void kill() {
        peers.kill(transport.address());
        stalling.release();
      }

      @Override
      public void close() {
        kill();
      }
    };
  }

  @Override
  protected MortalPeer mortalSender(PeerAddress to) {
    PeerTransport transport = serve(new Landings());
    CompletionStage<Void> push = transport.push(to, new byte[0], body(64 << 20, 99));
    return new MortalPeer() {
      @Override
      public PeerAddress address() {
        return transport.address();
      }

      @Override
      public void awaitBusy() {}

      @Override
      public void kill() {
        peers.kill(transport.address());
        if (!push.toCompletableFuture().isCompletedExceptionally()) {
          throw new AssertionError("the push of a dead sender continues");
        }
      }

      @Override
      public void close() {
        kill();
      }
    };
  }

  @Override
  protected PeerAddress nobody() {
    return peers.nobody();
  }
}

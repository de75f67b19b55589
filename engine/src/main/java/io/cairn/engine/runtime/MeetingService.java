package io.cairn.engine.runtime;

import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.sharing.desk.NodeRegister;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Serves the processes that meet at one address: coordination, and the register of nodes.
 *
 * @param nodes the processes that serve their nodes
 */
record MeetingService(ExchangeServer exchange, NodeRegister nodes) implements PeerService {
  @Override
  public CompletionStage<byte[]> answer(byte[] question) {
    if (Wire.isOfAnotherVersion(question)) {
      // any answer of this version tells the asker which it is
      return CompletableFuture.completedFuture(Wire.encode(new ExchangeReply.Registered()));
    }
    Message message = Wire.decode(question, Message.class);
    if (message instanceof ExchangeRequest request) {
      return exchange.answer(request);
    } else if (message instanceof PeerRequest.ServeNode serve) {
      return CompletableFuture.completedFuture(
          Wire.encode(new PeerReply.Nodes(nodes.serve(serve.site()))));
    }
    throw new IllegalArgumentException(
        "processes that meet do not answer a " + message.getClass().getSimpleName());
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) throws IOException {
    throw new IOException("nobody takes chunks at the coordinator's address");
  }
}

package io.cairn.engine.runtime;

import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.ExchangeServer;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Serves the processes that meet at one address: coordination, and the desk. Thread-safe.
 *
 * @param desk answers the desk's questions
 */
public record MeetingService(
    ExchangeServer exchange, Function<PeerRequest, CompletionStage<byte[]>> desk)
    implements PeerService {
  @Override
  public CompletionStage<byte[]> answer(byte[] question) {
    if (Wire.isOfAnotherVersion(question)) {
      // any answer of this version tells the asker which it is
      return CompletableFuture.completedFuture(Wire.encode(new ExchangeReply.Registered()));
    }
    return answer(Wire.decode(question, Message.class));
  }

  /**
   * Answers a decoded question.
   *
   * @throws IllegalArgumentException if it is for another service
   */
  public CompletionStage<byte[]> answer(Message message) {
    if (message instanceof ExchangeRequest request) {
      return exchange.answer(request);
    } else if (message instanceof PeerRequest request) {
      return desk.apply(request);
    }
    throw new IllegalArgumentException(
        "processes that meet do not answer a " + message.getClass().getSimpleName());
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) throws IOException {
    throw new IOException("nobody takes chunks at the coordinator's address");
  }
}

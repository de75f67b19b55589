package io.cairn.engine.coordination;

import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import java.io.IOException;
import java.util.concurrent.CompletionStage;

/** Answers the questions of an exchange alone. */
record OfServer(ExchangeServer server) implements PeerService {
  @Override
  public CompletionStage<byte[]> answer(byte[] request) {
    return server.answer(request);
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) throws IOException {
    throw new IOException("nobody takes chunks here");
  }
}

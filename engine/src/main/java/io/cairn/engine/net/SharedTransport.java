package io.cairn.engine.net;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * The transport of a process, as each of its services has it: the end of one service, or its
 * failure to begin, ends no other.
 *
 * @param whole stays the caller's to close
 */
public record SharedTransport(PeerTransport whole) implements PeerTransport {
  @Override
  public PeerAddress address() {
    return whole.address();
  }

  @Override
  public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
    return whole.ask(peer, request);
  }

  @Override
  public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
    return whole.push(peer, header, body);
  }

  /** Does nothing. */
  @Override
  public void close() {}
}

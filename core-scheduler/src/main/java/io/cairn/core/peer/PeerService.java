package io.cairn.core.peer;

import java.io.IOException;
import java.util.concurrent.CompletionStage;

/**
 * Serves the peers of a process. The transport calls it on its own threads, concurrently for
 * different peers, so that no method waits. A transport that authenticates calls it for
 * authenticated peers only.
 */
@FunctionalInterface
public interface PeerService {
  /**
   * Answers a question. The stage may complete later, on any thread; the peer waits for its
   * transport's time limit. The transport cancels the stage if the peer's connection ends first. An
   * exception, thrown or of the stage, reaches the peer as {@link PeerException.Reason#REFUSED}
   * with its message.
   *
   * @param request at most {@link PeerTransport#MAX_MESSAGE_BYTES} long; the callee may keep it
   * @return at most {@link PeerTransport#MAX_MESSAGE_BYTES}
   */
  CompletionStage<byte[]> answer(byte[] request);

  /**
   * Begins a push. The header is not trusted: check it, and that {@code bytes} fits the lease,
   * before anything is written. By default every push is refused.
   *
   * @param header at most {@link PeerTransport#MAX_HEADER_BYTES} long; the callee may keep it
   * @param bytes announced length of the body, 0 to {@link PeerTransport#MAX_BODY_BYTES}
   * @throws IOException to refuse the push; the sender receives the message
   */
  default PeerSink receive(byte[] header, long bytes) throws IOException {
    throw new IOException("this service takes no chunks");
  }
}

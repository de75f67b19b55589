package io.cairn.core.peer;

import java.io.IOException;
import java.util.concurrent.CompletionStage;

/**
 * What a process does for its peers. Called from the transport's own threads, several at once for
 * different peers: it returns at once and never waits. Over a transport that authenticates, only
 * peers that have proved themselves get here.
 */
public interface PeerService {
  /**
   * Answers a question. The stage may complete later, from any thread; the asker's patience ends
   * with its transport's time limit. What is thrown, and what the stage fails with, reaches the
   * asker as {@link PeerException.Reason#REFUSED} with its message.
   *
   * @param request at most {@link PeerTransport#MAX_MESSAGE_BYTES} long, the callee's to keep
   * @return at most {@link PeerTransport#MAX_MESSAGE_BYTES}
   */
  CompletionStage<byte[]> answer(byte[] request);

  /**
   * A push begins. A peer writes what it likes: check the header, and that {@code bytes} fits what
   * was granted, before taking anything.
   *
   * @param header at most {@link PeerTransport#MAX_HEADER_BYTES} long, the callee's to keep
   * @param bytes announced length of the body, 0 to {@link PeerTransport#MAX_BODY_BYTES}
   * @throws IOException to refuse it; the sender learns the message
   */
  PeerSink receive(byte[] header, long bytes) throws IOException;
}

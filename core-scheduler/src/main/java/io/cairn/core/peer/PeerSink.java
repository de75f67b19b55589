package io.cairn.core.peer;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Receives one push. Its methods are called one after the other: {@link #data} until all announced
 * bytes were delivered, then {@link #complete}; or {@link #failed} at any point, after which no
 * call follows. They run on the transport's own threads, which carry many pushes, so they never
 * wait.
 *
 * <p>A sink that throws refuses its push. The sender receives the exception's message, the rest of
 * the body is discarded, no call follows, and other pushes continue.
 */
public interface PeerSink {
  /**
   * The next bytes, in order and without gaps; together never more than were announced.
   *
   * @param slice valid until this returns: the transport reuses its memory
   */
  void data(ByteBuffer slice) throws IOException;

  /**
   * All announced bytes were delivered; the sender receives the confirmation after this returns.
   */
  void complete() throws IOException;

  /**
   * The push ended early, for a reason outside the sink: the sender died or broke the protocol, or
   * this transport closes. The bytes so far belong to no chunk, and no more are written.
   */
  void failed(String reason);
}

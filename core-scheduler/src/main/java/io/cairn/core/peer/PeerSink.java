package io.cairn.core.peer;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where one push lands. Its methods are called one after the other, never at once: {@link #data}
 * until all announced bytes were handed over, then {@link #complete}; or {@link #failed} at any
 * point, after which nothing comes. They run on the transport's own threads, which carry many
 * pushes: they put bytes where they belong and return, and never wait.
 *
 * <p>A sink that throws has refused its push: the sender learns the exception's message, the rest
 * of the body is thrown away, nothing more is called, and other pushes go on.
 */
public interface PeerSink {
  /**
   * The next bytes, in order and without gaps; together never more than were announced.
   *
   * @param slice to be read before returning: its memory is the transport's and is used again
   */
  void data(ByteBuffer slice) throws IOException;

  /** All announced bytes were handed over; the sender is told so when this returns. */
  void complete() throws IOException;

  /**
   * No more will come, for a reason outside the sink: the sender died, broke the protocol, or this
   * transport closes. The bytes so far are part of nothing, and nobody writes any more.
   */
  void failed(String reason);
}

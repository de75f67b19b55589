package io.cairn.engine.net;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * One question or push under way.
 *
 * @param act the attempt, for people
 * @param answer completes once; that of a push is empty
 */
record TcpCall(
    PeerAddress peer,
    Frame.Kind kind,
    String act,
    ByteBuffer header,
    ByteBuffer body,
    CompletableFuture<byte[]> answer) {
  static TcpCall question(PeerAddress peer, byte[] request) {
    return new TcpCall(
        peer,
        Frame.Kind.QUESTION,
        "question of " + request.length + " bytes",
        ByteBuffer.allocate(0),
        ByteBuffer.wrap(request),
        new CompletableFuture<>());
  }

  static TcpCall push(PeerAddress peer, byte[] header, ByteBuffer body) {
    return new TcpCall(
        peer,
        Frame.Kind.PUSH,
        "push of " + body.remaining() + " bytes",
        ByteBuffer.wrap(header),
        body.duplicate(),
        new CompletableFuture<>());
  }

  boolean isPush() {
    return kind == Frame.Kind.PUSH;
  }

  /** Bytes that count in the window: those of a push's body. */
  int bodyBytes() {
    return isPush() ? body.remaining() : 0;
  }

  void fail(Reason reason, String why) {
    answer.completeExceptionally(new PeerException(peer, reason, act, why));
  }
}

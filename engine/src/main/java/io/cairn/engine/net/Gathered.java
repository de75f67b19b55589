package io.cairn.engine.net;

import io.cairn.core.peer.PeerSink;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Gathers the body of a question or reply, and hands it on when all of it was verified. */
final class Gathered implements PeerSink {
  private final ByteBuffer body;
  private final Consumer<byte[]> to;

  Gathered(int bytes, Consumer<byte[]> to) {
    this.body = ByteBuffer.allocate(bytes);
    this.to = to;
  }

  @Override
  public void data(ByteBuffer slice) {
    body.put(slice);
  }

  @Override
  public void complete() {
    to.accept(body.array());
  }

  @Override
  public void failed(String reason) {
    // its connection has ended, which fails the call
  }
}

package io.cairn.engine.net;

import io.cairn.core.peer.PeerSink;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Gathers the body of a question or reply, and hands it on when all of it has come. Its memory
 * grows with what comes.
 */
final class Gathered implements PeerSink {
  private static final int FIRST_BYTES = 16 << 10;

  private final int announced;
  private final Consumer<byte[]> to;
  private byte[] body;
  private int arrived;

  Gathered(int announced, Consumer<byte[]> to) {
    this.announced = announced;
    this.to = to;
    this.body = new byte[Math.min(announced, FIRST_BYTES)];
  }

  @Override
  public void data(ByteBuffer slice) {
    int count = slice.remaining();
    if (arrived + count > body.length) {
      int longer = Math.max(arrived + count, Math.min(announced, 2 * body.length));
      body = Arrays.copyOf(body, longer);
    }
    slice.get(body, arrived, count);
    arrived += count;
  }

  /** All bytes have come, so that the array has their length. */
  @Override
  public void complete() {
    to.accept(body);
  }

  @Override
  public void failed(String reason) {
    // its connection has ended, which fails the call
  }
}

package io.cairn.engine.sharing.holders;

import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A service that stands still for ever, on request, in the middle of a push. */
final class HeldPushes implements PeerService {
  private final PeerService below;
  private final Runnable standing;
  private final AtomicBoolean hold;
  private final CountDownLatch never = new CountDownLatch(1);

  /**
   * A service on top of another.
   *
   * @param hold whether the next push stands still; cleared then
   * @param standing runs when it does
   */
  HeldPushes(PeerService below, AtomicBoolean hold, Runnable standing) {
    this.below = below;
    this.hold = hold;
    this.standing = standing;
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] request) {
    return below.answer(request);
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) throws IOException {
    PeerSink sink = below.receive(header, bytes);
    return new PeerSink() {
      @Override
      public void data(ByteBuffer slice) throws IOException {
        sink.data(slice);
        if (hold.getAndSet(false)) {
          standing.run();
          try {
            never.await();
          } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
          }
        }
      }

      @Override
      public void complete() throws IOException {
        sink.complete();
      }

      @Override
      public void failed(String reason) {
        sink.failed(reason);
      }
    };
  }
}

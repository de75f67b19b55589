package io.cairn.core.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/**
 * Takes the first bytes of a push and then stops until it is released: a peer that hangs, and that
 * is killed while it hangs. It answers nothing.
 */
public final class Stalling extends Landings {
  private final CountDownLatch stalled = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** Lets nobody go. */
  public Stalling() {}

  /** Waits until a push has come so far. */
  public void awaitStalled() throws InterruptedException {
    stalled.await();
  }

  /** Lets go. */
  public void release() {
    released.countDown();
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] request) {
    return new CompletableFuture<>();
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) {
    return new Landing("stalled", bytes) {
      @Override
      public void data(ByteBuffer slice) throws IOException {
        stalled.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          throw new IOException("interrupted", e);
        }
        super.data(slice);
      }
    };
  }
}

package io.cairn.engine.runtime;

import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A service that counts pushes, and can hold one when its first bytes have landed. Thread-safe. */
final class GatedPushes implements PeerService {
  private final PeerService service;
  private final AtomicInteger count = new AtomicInteger();
  private final CountDownLatch held = new CountDownLatch(1);
  private volatile CountDownLatch gate = new CountDownLatch(0);

  GatedPushes(PeerService service) {
    this.service = service;
  }

  int count() {
    return count.get();
  }

  /** The next push stops in the middle. */
  void hold() {
    gate = new CountDownLatch(1);
  }

  void awaitHeld() throws InterruptedException {
    held.await();
  }

  void release() {
    gate.countDown();
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] request) {
    return service.answer(request);
  }

  @Override
  public PeerSink receive(byte[] header, long bytes) throws IOException {
    count.incrementAndGet();
    PeerSink sink = service.receive(header, bytes);
    return new PeerSink() {
      @Override
      public void data(ByteBuffer slice) throws IOException {
        sink.data(slice);
        if (gate.getCount() > 0) {
          held.countDown();
          try {
            gate.await();
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

package io.cairn.cache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.ReadyAfter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The buffers of the host between a device and an engine that does not reach its memory. */
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThroughHostTest {
  private static final int BYTES = 64;

  @Test
  void aBufferThatACopyMayStillReadIsNotFilledAnew() throws Exception {
    DeviceHeap heap = new DeviceHeap(2 * BYTES);
    for (int i = 0; i < 2 * BYTES; i++) {
      heap.bytes().put(i, (byte) (i / BYTES + 1));
    }
    try (DelayedDevice device = new DelayedDevice(1 << 10, 1, heap);
        DelayedDevice elsewhere = new DelayedDevice(1 << 10, 2)) {
      CaptureSource source =
          new DeviceResident(heap.region("weights", 0, 2 * BYTES, new ReadyAfter.Nothing()));
      DeviceAddress first = elsewhere.allocate(BYTES);
      ThroughHost through = new ThroughHost(device, elsewhere);

      CopyEvent slow = through.copy(source, 0, first);
      through.copy(source, BYTES, elsewhere.allocate(BYTES)).awaitLanding();
      slow.awaitLanding();

      byte[] found = new byte[BYTES];
      elsewhere.copyToHostAsync(first, ByteBuffer.wrap(found)).awaitLanding();
      assertThat(found).containsOnly(1);
    }
  }

  /** A copy that waits for each chunk before the next one never gets to the second lender. */
  @Test
  void manyChunksAreOnTheirWayToEachOfTwoLenders() throws Exception {
    int chunks = 2 * ThroughHost.MOST;
    DeviceHeap heap = new DeviceHeap(chunks * BYTES);
    CaptureSource source =
        new DeviceResident(heap.region("weights", 0, chunks * BYTES, new ReadyAfter.Nothing()));
    try (DelayedDevice device = new DelayedDevice(1 << 10, 1, heap)) {
      List<SlowLender> lenders = List.of(new SlowLender(), new SlowLender());
      List<DeferredCopy> copies = new ArrayList<>();
      for (SlowLender lender : lenders) {
        CopyBatch batch = new CopyBatch(chunks);
        for (int chunk = 0; chunk < chunks; chunk++) {
          long at = (long) chunk * BYTES;
          batch.add(source, at, new DeviceAddress(7, at, BYTES));
        }
        CopyEvent before = device.workBefore(List.of((DeviceResident) source));
        copies.add(DeferredCopy.throughHost(device, lender, batch, before));
      }

      Thread sending = new Thread(() -> start(copies));
      sending.start();
      while (lenders.get(1).begun() < ThroughHost.MOST) {
        Thread.onSpinWait();
      }

      assertThat(lenders).extracting(SlowLender::begun).containsOnly(ThroughHost.MOST);
      lenders.forEach(SlowLender::land);
      sending.join();
      for (DeferredCopy copy : copies) {
        copy.await();
      }
      assertThat(lenders).extracting(SlowLender::begun).containsOnly(chunks);
    }
  }

  /** Its chunks go elsewhere then, and its memory back: both while no copy writes any more. */
  @Test
  void theFailureOfAChunkIsToldWhenTheOthersHaveEnded() throws Exception {
    DeviceHeap heap = new DeviceHeap(2 * BYTES);
    CaptureSource source =
        new DeviceResident(heap.region("weights", 0, 2 * BYTES, new ReadyAfter.Nothing()));
    try (DelayedDevice device = new DelayedDevice(1 << 10, 1, heap)) {
      SlowLender lender = new SlowLender(1);
      CopyBatch batch = new CopyBatch(2);
      batch.add(source, 0, new DeviceAddress(7, 0, BYTES));
      batch.add(source, BYTES, new DeviceAddress(7, BYTES, BYTES));
      CopyEvent before = device.workBefore(List.of((DeviceResident) source));
      DeferredCopy copy = DeferredCopy.throughHost(device, lender, batch, before);
      CompletableFuture<Void> told = new CompletableFuture<>();

      Thread waiting =
          new Thread(
              () -> {
                try {
                  copy.await();
                  told.complete(null);
                } catch (IOException | InterruptedException e) {
                  told.completeExceptionally(e);
                }
              });
      waiting.start();
      while (!lender.isAwaited()) {
        Thread.onSpinWait();
      }
      assertThat(told).isNotDone();
      lender.land();
      waiting.join();

      assertThat(told).isCompletedExceptionally();
      assertThat(copy.isDone()).isTrue();
    }
  }

  private static void start(List<DeferredCopy> copies) {
    try {
      DeferredCopy.startAll(copies);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Counts calls; no copy lands before all may, and the first ones fail. */
  private static final class SlowLender implements CopyEngine {
    private final CompletableFuture<Void> landing = new CompletableFuture<>();
    private final int refused;
    private int begun;
    private volatile boolean awaited;

    SlowLender() {
      this(0);
    }

    SlowLender(int refused) {
      this.refused = refused;
    }

    boolean isAwaited() {
      return awaited;
    }

    synchronized int begun() {
      return begun;
    }

    void land() {
      landing.complete(null);
    }

    @Override
    public String describe() {
      return "a slow lender";
    }

    @Override
    public synchronized CopyEvent copyAndChecksumAsync(CopyBatch batch) {
      boolean fails = begun < refused;
      begun += batch.chunks();
      return new CopyEvent() {
        @Override
        public boolean isDone() {
          return landing.isDone();
        }

        @Override
        public void await() throws IOException {
          if (fails) {
            throw new IOException("the lender has no room");
          }
          awaited = true;
          landing.join();
        }

        @Override
        public int checksum(int chunk) {
          return 0;
        }
      };
    }

    @Override
    public CopyEvent copyToHostAsync(DeviceAddress from, ByteBuffer target) {
      throw new IllegalStateException("nobody reads");
    }
  }
}

package io.cairn.engine.runtime;

import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A delayed device that reads no source until it is released: the copies that were started while it
 * held land after {@link #release()}, from what the source is by then. Thread-safe.
 */
final class HeldDevice implements DeviceMemory {
  private final DelayedDevice below = new DelayedDevice(1 << 20, 7);
  private volatile CountDownLatch held = new CountDownLatch(0);

  void hold() {
    held = new CountDownLatch(1);
  }

  void release() {
    held.countDown();
  }

  @Override
  public String describe() {
    return below.describe();
  }

  @Override
  public DeviceAddress allocate(long bytes) throws IOException {
    return below.allocate(bytes);
  }

  @Override
  public void free(DeviceAddress address) {
    below.free(address);
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    CountDownLatch latch = held;
    return new HeldCopy(latch, () -> below.copyAndChecksumAsync(batch));
  }

  @Override
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    return below.copyToHostAsync(source, target);
  }

  @Override
  public ExportedMemory export(DeviceAddress address) {
    return below.export(address);
  }

  @Override
  public Opened open(ExportedMemory handle) throws IOException {
    return below.open(handle);
  }

  @Override
  public void close() {
    below.close();
  }

  private interface Start {
    CopyEvent copy();
  }

  private static final class HeldCopy implements CopyEvent {
    private final CountDownLatch latch;
    private final Start start;
    private @Nullable CopyEvent started;

    HeldCopy(CountDownLatch latch, Start start) {
      this.latch = latch;
      this.start = start;
    }

    private synchronized CopyEvent started() {
      CopyEvent copy = started;
      if (copy == null) {
        copy = start.copy();
        started = copy;
      }
      return copy;
    }

    @Override
    public boolean isDone() {
      return latch.getCount() == 0 && started().isDone();
    }

    @Override
    public void await() throws IOException, InterruptedException {
      latch.await();
      started().await();
    }

    @Override
    public int checksum(int chunk) {
      return started().checksum(chunk);
    }
  }
}

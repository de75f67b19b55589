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
 * held land after {@link #release()}, from what the source is by then. With a stage it reads them
 * at once, and they land later all the same. Thread-safe.
 */
final class HeldDevice implements DeviceMemory {
  private final DelayedDevice below;
  private final boolean stages;
  private volatile CountDownLatch held = new CountDownLatch(0);

  HeldDevice() {
    this(false);
  }

  private HeldDevice(boolean stages) {
    this.stages = stages;
    this.below = stages ? DelayedDevice.withStage(1 << 20, 7) : new DelayedDevice(1 << 20, 7);
  }

  static HeldDevice withStage() {
    return new HeldDevice(true);
  }

  /** The copy that is started next fails when it lands. */
  void failNextCopy(IOException failure) {
    below.failNextCopy(failure);
  }

  void hold() {
    held = new CountDownLatch(1);
  }

  /** Copies that are started from now on are not held; those that are stay so. */
  CountDownLatch holdNoMore() {
    CountDownLatch before = held;
    held = new CountDownLatch(0);
    return before;
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
    HeldCopy copy = new HeldCopy(held, () -> below.copyAndChecksumAsync(batch), stages);
    if (stages) {
      copy.land();
    }
    return copy;
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
    private final boolean stages;
    private @Nullable CopyEvent started;

    HeldCopy(CountDownLatch latch, Start start, boolean stages) {
      this.latch = latch;
      this.start = start;
      this.stages = stages;
    }

    /** Lets it land below; its failure shows later. */
    void land() {
      CopyEvent copy = started();
      while (!copy.isDone()) {
        Thread.onSpinWait();
      }
    }

    @Override
    public boolean isSourceFree() {
      return stages || isDone();
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

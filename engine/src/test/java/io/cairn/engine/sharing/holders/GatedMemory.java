package io.cairn.engine.sharing.holders;

import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** A device that stops on request in the middle of a copy to a peer's memory. */
final class GatedMemory implements DeviceMemory {
  private final DeviceMemory below;
  private final Runnable standing;
  private final Set<Long> peers = ConcurrentHashMap.newKeySet();
  private final CountDownLatch gate = new CountDownLatch(1);
  private int copiesLeft;

  /**
   * A device on top of another, which is closed with it.
   *
   * @param standing runs when the device has stopped
   */
  GatedMemory(DeviceMemory below, Runnable standing) {
    this.below = below;
    this.standing = standing;
  }

  /** Stands still, once, when half of so many more copies to peers has landed. */
  synchronized void hold(int copies) {
    copiesLeft = copies;
  }

  /** Goes on. */
  void open() {
    gate.countDown();
  }

  private synchronized boolean standsStill(DeviceAddress target) {
    return copiesLeft > 0 && peers.contains(target.device()) && --copiesLeft == 0;
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      if (standsStill(batch.target(chunk))) {
        copyHalf(batch, chunk);
        standing.run();
        awaitGate();
      }
    }
    return below.copyAndChecksumAsync(batch);
  }

  /** The chunks before this one, and half of it. */
  private void copyHalf(CopyBatch batch, int chunk) {
    CopyBatch half = new CopyBatch(chunk + 1);
    for (int i = 0; i <= chunk; i++) {
      DeviceAddress target = batch.target(i);
      long bytes = i < chunk ? target.bytes() : target.bytes() / 2;
      half.add(batch.source(i), batch.sourceOffset(i), target.slice(0, bytes));
    }
    try {
      below.copyAndChecksumAsync(half).awaitLanding();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    return below.copyToHostAsync(source, target);
  }

  @Override
  public ExportedMemory export(DeviceAddress address) {
    return below.export(address);
  }

  @Override
  public Opened open(ExportedMemory handle) throws IOException {
    Opened opened = below.open(handle);
    peers.add(opened.address().device());
    return opened;
  }

  @Override
  public void close() {
    below.close();
  }
}

package io.cairn.cache.memory.cuda;

import io.cairn.core.model.MappedBytes;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pinned buffers that a device lends to readers, so that the GPU copies into them by itself. They
 * are made when they are first needed, and kept for the next reader. Each retains the GPU's context
 * for itself, so that a reader may have one beyond the end of its device. Thread-safe.
 */
final class StagingBuffers {
  /** Enough for two readers, each with as many as {@code ReadAhead} uses. */
  private static final int MOST = 8;

  private static final Logger LOG = LoggerFactory.getLogger(StagingBuffers.class);

  private final Driver driver;
  private final CudaOptions options;
  private final CudaContext ofDevice;
  private final Deque<Pinned> free = new ArrayDeque<>();
  private int made;
  private boolean ended;
  private volatile boolean kept;

  /**
   * No buffer is made yet.
   *
   * @param ofDevice tells whether the GPU is dead: its driver might not answer then
   */
  StagingBuffers(Driver driver, CudaOptions options, CudaContext ofDevice) {
    this.driver = driver;
    this.options = options;
    this.ofDevice = ofDevice;
  }

  private record Pinned(CudaContext context, long address, ByteBuffer bytes) {
    void free() {
      try (context;
          CurrentContext calls = context.enter()) {
        calls.freeHost(address);
      } catch (CudaException e) {
        LOG.warn("{}: pinned memory stays until this process ends", context, e);
      }
    }
  }

  /**
   * A buffer, which its user closes when no copy uses it.
   *
   * @return empty if all are lent, the GPU is dead, or there is no memory to pin
   */
  Optional<MappedBytes> lend(int bytes) {
    Pinned found = take(bytes);
    return Optional.ofNullable(found).map(pinned -> new Lent(pinned, bytes));
  }

  private synchronized @Nullable Pinned take(int bytes) {
    if (ended || ofDevice.isDead()) {
      return null;
    }
    for (Iterator<Pinned> each = free.iterator(); each.hasNext(); ) {
      Pinned pinned = each.next();
      if (pinned.bytes.capacity() >= bytes) {
        each.remove();
        return pinned;
      }
    }
    if (made == MOST && free.isEmpty()) {
      return null;
    } else if (made == MOST) { // a longer one takes the place of one that is too short
      Pinned shorter = free.remove();
      made--;
      Teardown.later(shorter.context, shorter::free);
    }
    try {
      Pinned pinned = pin(bytes);
      made++;
      return pinned;
    } catch (CudaException e) {
      LOG.warn("{} bytes are not pinned, so that readers of the GPU are slower", bytes, e);
      return null;
    }
  }

  private Pinned pin(int bytes) throws CudaException {
    CudaContext context = CudaContext.retain(driver, options.ordinal(), options.patience());
    try (CurrentContext calls = context.enter()) {
      long address = calls.allocateHost(bytes);
      return new Pinned(context, address, CurrentContext.bytes(address, bytes));
    } catch (CudaException e) {
      context.close();
      throw e;
    }
  }

  private void give(Pinned pinned) {
    if (isKeptForTheNext(pinned)) {
      return;
    } else if (kept) {
      pinned.context.abandon();
    } else {
      Teardown.run(pinned.context, pinned::free);
    }
  }

  private synchronized boolean isKeptForTheNext(Pinned pinned) {
    return !ended && free.add(pinned);
  }

  /** Frees the buffers that nobody has; the others go when they come back. */
  void end() {
    for (Pinned pinned : allFree()) {
      pinned.free();
    }
  }

  /** Leaves all buffers to the end of the process. */
  void keepToTheEnd() {
    kept = true;
    for (Pinned pinned : allFree()) {
      pinned.context.abandon();
    }
  }

  private synchronized Deque<Pinned> allFree() {
    ended = true;
    Deque<Pinned> all = new ArrayDeque<>(free);
    free.clear();
    return all;
  }

  /** A buffer with its reader. */
  private final class Lent implements MappedBytes {
    private final Pinned pinned;
    private final ByteBuffer buffer;
    private final AtomicBoolean open = new AtomicBoolean(true);

    Lent(Pinned pinned, int bytes) {
      this.pinned = pinned;
      buffer = pinned.bytes.slice(0, bytes);
    }

    @Override
    public ByteBuffer buffer() {
      return buffer;
    }

    @Override
    public void close() {
      if (open.compareAndSet(true, false)) {
        give(pinned);
      }
    }
  }
}

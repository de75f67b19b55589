package io.cairn.engine.runtime;

import io.cairn.CairnEvent;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.events.Observers;
import io.cairn.engine.sharing.Sharing;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives memory of the device cache to the training, one slab after the other, while the device has
 * less free memory than the training is to find. Asks the device once a second, on a thread of its
 * own. Thread-safe.
 */
final class DeviceReserve implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceReserve.class);
  private static final String THREAD = "cairn-reserve";
  private static final long PERIOD_MILLIS = 1000;

  private final DeviceMemory memory;
  private final ChunkCache cache;
  private final long reserveBytes;
  private final Observers observers;
  private final Supplier<Optional<Sharing>> sharing;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(THREAD));
  private boolean reported;

  /**
   * Asks nothing before {@link #begin}.
   *
   * @param reserveBytes that the device is to have free
   * @param sharing takes lent slots back
   */
  DeviceReserve(
      DeviceMemory memory,
      ChunkCache cache,
      long reserveBytes,
      Observers observers,
      Supplier<Optional<Sharing>> sharing) {
    this.memory = memory;
    this.cache = cache;
    this.reserveBytes = reserveBytes;
    this.observers = observers;
    this.sharing = sharing;
  }

  /** Begins to ask, if there is a reserve. */
  void begin() {
    if (reserveBytes > 0) {
      var unused =
          thread.scheduleWithFixedDelay(
              DaemonThreads.watched(THREAD, this::round),
              PERIOD_MILLIS,
              PERIOD_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }

  private void round() {
    try {
      check();
    } catch (IOException | RuntimeException e) {
      report("The free memory of the device is unknown, so the cache keeps its own", e);
    }
  }

  /**
   * Lets one slab leave if the device has too little free memory, and evicts what keeps a slab that
   * leaves already.
   *
   * @throws IOException if the device does not tell
   */
  synchronized void check() throws IOException {
    if (cache.shrinking().vacate()) {
      sharing.get().ifPresent(Sharing::vacate);
      return;
    }
    OptionalLong free = memory.bytesForOthers();
    if (free.isEmpty()) {
      report("device.reserve has no effect on " + memory.describe(), null);
    } else if (free.getAsLong() < reserveBytes) {
      shrink(free.getAsLong());
    }
  }

  private void shrink(long freeBytes) {
    int slots = cache.shrinking().begin();
    if (slots == 0) {
      report(
          String.format(
                  Locale.ROOT,
                  "%s has only %d bytes free of those that device.reserve names, and the cache"
                      + " keeps the",
                  memory.describe(),
                  freeBytes)
              + " rest of its memory",
          null);
      return;
    }
    long bytes = (long) slots * cache.chunkBytes();
    observers.publish(new CairnEvent.CacheShrank(bytes, cache.slots(), freeBytes));
    if (cache.shrinking().vacate()) {
      sharing.get().ifPresent(Sharing::vacate);
    }
  }

  /** Once: none of the reasons is likely to go. */
  private void report(String what, @Nullable Exception e) {
    if (!reported) {
      reported = true;
      LOG.warn(what, e);
    }
  }

  /** Asks no more. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}

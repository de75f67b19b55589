package io.cairn.cache.memory.cuda;

import io.cairn.core.model.OpenParts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One allocation of a device, which has few large ones, since to free memory of a GPU makes all of
 * it wait. Its users within the process are counted: the device, and each handle that a neighbour
 * opened. The last one frees it, after the {@link Importers} in other processes. It retains the
 * GPU's context for itself, so that the order in which devices are closed does not matter.
 * Thread-safe.
 */
final class CudaArena {
  private static final Logger LOG = LoggerFactory.getLogger(CudaArena.class);

  private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final CudaContext context;
  private final long address;
  private final long bytes;
  private int users = 1;
  private volatile boolean kept;
  private volatile boolean reported;
  private volatile boolean freed;
  private volatile @Nullable Importers importers;

  private CudaArena(CudaContext context, long address, long bytes) {
    this.context = context;
    this.address = address;
    this.bytes = bytes;
  }

  /**
   * Allocates memory with one user.
   *
   * @throws IOException naming the GPU, the requested and the free bytes, if there is no room
   */
  static CudaArena allocate(Driver driver, CudaOptions options, long bytes) throws IOException {
    CudaContext context = CudaContext.retain(driver, options.ordinal(), options.patience());
    try (CurrentContext calls = context.enter()) {
      return new CudaArena(context, calls.allocate(bytes), bytes);
    } catch (CudaException e) {
      IOException failure =
          new IOException(
              String.format(
                  Locale.ROOT,
                  "%s: no room for %d bytes%s: %s",
                  context,
                  bytes,
                  free(context),
                  e.getMessage()),
              e);
      OpenParts.closeAfter(context, failure);
      throw failure;
    }
  }

  private static String free(CudaContext context) {
    try (CurrentContext calls = context.enter()) {
      return String.format(Locale.ROOT, ", with %d free", calls.freeBytes());
    } catch (CudaException e) {
      return "";
    }
  }

  /** Names the processes that may open it. */
  void lendTo(Importers others) {
    importers = others;
  }

  /** Whether it went back to the GPU. */
  boolean isFreed() {
    return freed;
  }

  long address() {
    return address;
  }

  long bytes() {
    return bytes;
  }

  /** Adds a user, unless the memory was freed already. */
  synchronized boolean use() {
    if (users == 0) {
      return false;
    }
    users++;
    return true;
  }

  /** Ends one use. Memory of a dead GPU is left to the end of the process, with a warning. */
  void endUse() {
    if (isLastUse()) {
      Teardown.run(context, this::end);
    }
  }

  /** Leaves the memory to the end of the process, whoever ends the last use. */
  void keepToTheEnd() {
    kept = true;
  }

  private synchronized boolean isLastUse() {
    users--;
    return users == 0;
  }

  private void end() {
    if (kept) {
      context.abandon();
    } else if (isOpenElsewhere()) {
      Teardown.later(context, this::endUnopened);
    } else {
      free();
    }
  }

  /**
   * Frees it after the last importer. Nothing waits for this thread, which ends with the process if
   * an importer lives longer.
   */
  private void endUnopened() {
    long pause = SHORTEST_PAUSE_NANOS;
    do {
      LockSupport.parkNanos(this, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    } while (isOpenElsewhere());
    if (!Teardown.isProcessExiting()) {
      free();
    }
  }

  /** True also if nobody can tell. */
  private boolean isOpenElsewhere() {
    Importers others = importers;
    try {
      Optional<Path> found = others == null ? Optional.empty() : others.any();
      found.ifPresent(file -> report(file + " shows", null));
      return found.isPresent();
    } catch (IOException e) {
      report("a file cannot be read that may show", e);
      return true;
    }
  }

  /** Once: the reasons rarely change. */
  private void report(String reason, @Nullable IOException e) {
    if (!reported) {
      reported = true;
      LOG.warn(
          "{}: {} that another process has {} bytes open; they are freed when it closes them or"
              + " ends, or with this process",
          context,
          reason,
          bytes,
          e);
    }
  }

  private void free() {
    try (context;
        CurrentContext calls = context.enter()) {
      calls.free(address);
      freed = true;
    } catch (CudaException e) {
      LOG.warn("{}: {} bytes stay allocated until this process ends", context, bytes, e);
    }
  }
}

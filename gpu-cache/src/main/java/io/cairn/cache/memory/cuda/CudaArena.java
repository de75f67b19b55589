package io.cairn.cache.memory.cuda;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of one device, allocated at once, since to free memory of a GPU makes all of it wait.
 * Its users within the process are counted: the device, and each handle that a neighbour opened.
 * The last one frees it. It retains the GPU's context for itself, so that the order in which
 * devices are closed does not matter. Thread-safe.
 */
final class CudaArena {
  private static final Logger LOG = LoggerFactory.getLogger(CudaArena.class);

  private final CudaContext context;
  private final long address;
  private final long bytes;
  private int users = 1;
  private volatile boolean kept;

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
  static CudaArena allocate(Driver driver, CudaOptions options) throws IOException {
    CudaContext context = CudaContext.retain(driver, options.ordinal(), options.patience());
    long bytes = options.capacityBytes();
    try (CurrentContext calls = context.enter()) {
      return new CudaArena(context, calls.allocate(bytes), bytes);
    } catch (CudaException e) {
      IOException failure =
          new IOException(
              "%s: no %d bytes for checkpoints%s: %s"
                  .formatted(context, bytes, free(context), e.getMessage()),
              e);
      end(context, failure);
      throw failure;
    }
  }

  private static String free(CudaContext context) {
    try (CurrentContext calls = context.enter()) {
      return ", with %d free".formatted(calls.freeBytes());
    } catch (CudaException e) {
      return "";
    }
  }

  private static void end(CudaContext context, IOException failure) {
    try {
      context.close();
    } catch (CudaException e) {
      failure.addSuppressed(e);
    }
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

  /** Ends one use; the memory stays until the process ends, whoever ends the last use. */
  void keep() {
    kept = true;
    endUse();
  }

  private synchronized boolean isLastUse() {
    users--;
    return users == 0;
  }

  private void end() {
    if (kept) {
      context.abandon();
      return;
    }
    try (context;
        CurrentContext calls = context.enter()) {
      calls.free(address);
    } catch (CudaException e) {
      LOG.warn("{}: {} bytes stay allocated until this process ends", context, bytes, e);
    }
  }
}

package io.cairn.cache.memory.cuda;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a GPU still works for this process. All contexts of a GPU share one instance, since its
 * primary context is one, and forget it when the last of them is closed. Thread-safe.
 */
final class GpuHealth {
  private static final Map<Integer, GpuHealth> OF_GPUS = new HashMap<>();

  private final int ordinal;
  private int users;
  private volatile @Nullable CudaException death;

  private GpuHealth(int ordinal) {
    this.ordinal = ordinal;
  }

  /** The health of a GPU; the caller leaves it once. */
  static GpuHealth join(int ordinal) {
    synchronized (OF_GPUS) {
      GpuHealth health = OF_GPUS.computeIfAbsent(ordinal, GpuHealth::new);
      health.users++;
      return health;
    }
  }

  /** Ends one {@link #join}. */
  void leave() {
    synchronized (OF_GPUS) {
      users--;
      if (users == 0) {
        OF_GPUS.remove(ordinal);
      }
    }
  }

  boolean isDead() {
    return death != null;
  }

  /** Records that the GPU is dead; the first reason stays. */
  synchronized void die(CudaException reason) {
    if (death == null) {
      death = reason;
    }
  }

  /** Throws the reason if the GPU is dead. */
  void requireAlive(String description) throws CudaException {
    CudaException reason = death;
    if (reason != null) {
      throw reason.again(description);
    }
  }
}

package io.cairn.cache.memory.shm;

import java.util.function.BooleanSupplier;

/**
 * A span of another device of this process. Thread-safe.
 *
 * @param gone whether that device has given it up
 */
record NeighbourSpan(ArenaWindow window, int start, BooleanSupplier gone) implements PeerSpan {
  @Override
  public boolean ownerIsGone() {
    return gone.getAsBoolean();
  }

  @Override
  public void close() {
    window.close();
  }
}

package io.cairn.cache.memory.shm;

import java.io.IOException;

/** Opened memory of another device, as mapped in this process. */
interface PeerSpan extends AutoCloseable {
  /** The window, whose holder this span is until it is closed. */
  ArenaWindow window();

  /** Offset of the span within the window. */
  int start();

  /** See {@link io.cairn.cache.memory.DeviceMemory.Opened#ownerIsGone}. */
  boolean ownerIsGone() throws IOException;

  /** Called once. */
  @Override
  void close();
}

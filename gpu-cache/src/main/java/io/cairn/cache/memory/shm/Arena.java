package io.cairn.cache.memory.shm;

import io.cairn.core.model.OpenParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The file behind a device. Its channel holds a kernel lock from before the first byte is written
 * until the channel is closed or the process dies. A free lock means a dead owner.
 */
final class Arena implements AutoCloseable {
  private static final int ZEROS_BYTES = 1 << 20;
  private static final int PAGE_BYTES = 4096;

  private final Path path;
  private final FileChannel channel;
  private final List<ArenaWindow> windows = new ArrayList<>();
  private final long bytes;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Arena(Path path, FileChannel channel, long bytes) {
    this.path = path;
    this.channel = channel;
    this.bytes = bytes;
  }

  /**
   * Fills a new, locked file with zeros, maps it and touches its pages. Writing before mapping
   * turns a full file system into an exception here instead of a SIGBUS later.
   *
   * @throws IOException if there is no room; the file is gone then
   */
  static Arena reserve(Path path, FileChannel channel, long capacityBytes, int windowBytes)
      throws IOException {
    long bytes = (capacityBytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    Arena arena = new Arena(path, channel, bytes);
    try {
      arena.writeZeros();
      for (long start = 0; start < bytes; start += windowBytes) {
        long length = Math.min(windowBytes, bytes - start);
        ArenaWindow window = new ArenaWindow(channel.map(MapMode.READ_WRITE, start, length));
        window.touch();
        arena.windows.add(window);
      }
      return arena;
    } catch (IOException | RuntimeException e) {
      OpenParts.closeAfter(arena, e);
      throw e;
    }
  }

  Path path() {
    return path;
  }

  long bytes() {
    return bytes;
  }

  ArenaWindow window(long index) {
    return windows.get((int) index);
  }

  private void writeZeros() throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_BYTES, bytes));
    for (long written = 0; written < bytes; ) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - written));
      written += channel.write(zeros, written);
    }
  }

  /**
   * Unmaps the windows as soon as no copy uses them. Deletes the file, then releases the lock: no
   * process may find the file with a free lock. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      windows.forEach(ArenaWindow::close);
    }
    try (channel) {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the arena " + path, e);
    } finally {
      HeldArenas.remove(path);
    }
  }
}

package io.cairn.cache.memory.shm;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A span of an arena that a living process of the same user held when it was mapped. The mapping
 * outlives the owner, and its bytes stay readable until the span is closed. The file stays open, so
 * that its lock shows the owner's death even after another process has removed its name.
 * Thread-safe.
 */
final class PeerArena implements PeerSpan {
  private final FileChannel channel;
  private final ArenaWindow window;

  private PeerArena(FileChannel channel, ArenaWindow window) {
    this.channel = channel;
    this.window = window;
  }

  /**
   * Maps the span that a handle names.
   *
   * @param ownArena an arena of this process, whose owner the peer's arena must have
   * @param unmapped runs when the last holder of the window has closed it
   */
  static PeerArena map(ArenaHandle handle, Path ownArena, Runnable unmapped) throws IOException {
    Path file = handle.file();
    if (HeldArenas.contains(file)) {
      throw new IOException(handle + ": held by this process through another class loader");
    }
    FileChannel channel;
    try {
      channel = FileChannel.open(file, READ, WRITE, NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      throw new IOException(handle + ": its owner has closed it, or is dead", e);
    }
    try {
      return new PeerArena(channel, window(handle, ownArena, channel, unmapped));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static ArenaWindow window(
      ArenaHandle handle, Path ownArena, FileChannel channel, Runnable unmapped)
      throws IOException {
    try {
      if (!Files.getOwner(handle.file(), NOFOLLOW_LINKS).equals(Files.getOwner(ownArena))) {
        throw new IOException(handle + ": the arena belongs to another user");
      }
    } catch (NoSuchFileException e) {
      throw new IOException(handle + ": its owner has closed it, or is dead", e);
    }
    if (ArenaLock.ownerIsDead(channel)) {
      throw new IOException(handle + ": its owner is dead");
    }
    handle.requireWithin(channel.size());
    return new ArenaWindow(
        channel.map(MapMode.READ_WRITE, handle.offset(), handle.bytes()).load(), unmapped);
  }

  @Override
  public ArenaWindow window() {
    return window;
  }

  @Override
  public int start() {
    return 0;
  }

  @Override
  public boolean ownerIsGone() throws IOException {
    return ArenaLock.ownerIsDead(channel);
  }

  @Override
  public void close() {
    window.close();
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close a peer's arena", e);
    }
  }
}

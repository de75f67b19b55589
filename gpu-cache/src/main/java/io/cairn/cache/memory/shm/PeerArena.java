package io.cairn.cache.memory.shm;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Maps spans of arenas that living processes of the same user hold. */
final class PeerArena {
  private PeerArena() {}

  /**
   * Maps what a handle names. The mapping outlives the owner: its bytes stay readable, but whoever
   * opened it must hear of the owner's death by other means.
   *
   * @param ownArena tells which user we are
   */
  static ArenaWindow map(ArenaHandle handle, Path ownArena) throws IOException {
    Path file = handle.file();
    if (HeldArenas.contains(file)) {
      throw new IOException(handle + ": held by this process through another class loader");
    }
    try (FileChannel channel = FileChannel.open(file, READ, WRITE, NOFOLLOW_LINKS)) {
      if (!Files.getOwner(file, NOFOLLOW_LINKS).equals(Files.getOwner(ownArena))) {
        throw new IOException(handle + ": the arena belongs to another user");
      }
      if (ArenaLock.ownerIsDead(channel)) {
        throw new IOException(handle + ": its owner is dead");
      }
      handle.requireWithin(channel.size());
      return new ArenaWindow(
          channel.map(MapMode.READ_WRITE, handle.offset(), handle.bytes()).load());
    } catch (NoSuchFileException e) {
      throw new IOException(handle + ": its owner has closed it, or is dead", e);
    }
  }
}

package io.cairn.cache.memory.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the owner of an arena is dead, by taking the arena's lock for a moment. The lock
 * is shared, so that two checking processes do not take each other for the owner. One thread checks
 * at a time, since the locks of one process must not overlap. Never check an arena that this
 * process holds.
 */
final class ArenaLock {
  private ArenaLock() {}

  static synchronized boolean ownerIsDead(FileChannel arena) throws IOException {
    try (FileLock lock = tryLock(arena)) {
      return lock != null;
    }
  }

  /** Deletes the file under the lock, so that no process becomes its owner meanwhile. */
  static synchronized boolean deleteIfDead(FileChannel arena, Path file) throws IOException {
    try (FileLock lock = tryLock(arena)) {
      return lock != null && Files.deleteIfExists(file);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel arena) throws IOException {
    try {
      return arena.tryLock(0, Long.MAX_VALUE, true);
    } catch (OverlappingFileLockException e) {
      // another class loader of this process checks at this moment: nothing is proven
      return null;
    }
  }
}

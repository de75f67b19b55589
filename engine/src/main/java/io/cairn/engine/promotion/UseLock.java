package io.cairn.engine.promotion;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.cairn.flush.format.StoreNames;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's lock on the file {@link StoreNames#IN_USE} of a directory at NODE. Each process that
 * uses the directory shares it for so long, and whoever deletes the directory has it alone. The
 * kernel releases it when a process dies, so no clock is asked whether one lives. Thread-safe.
 */
public final class UseLock implements Closeable {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int ATTEMPTS = 100;

  /**
   * By file. Closing any descriptor of a file ends all locks that this process has on it, so it
   * opens none of these again.
   */
  private static final Map<Path, UseLock> HELD = new HashMap<>();

  private final Path file;
  private final FileChannel channel;
  private final boolean shared;
  private final @Nullable Object inode;

  /** Guarded by the class. */
  private int users = 1;

  private UseLock(Path file, FileChannel channel, boolean shared) throws IOException {
    this.file = file;
    this.channel = channel;
    this.shared = shared;
    this.inode = inode(file);
  }

  /**
   * Marks a directory as used by this process, until the result is closed. Each call counts.
   *
   * @throws NoSuchFileException if it does not exist, or is being deleted
   * @throws IOException if its file system has no locks
   */
  public static UseLock hold(Path directory) throws IOException {
    Path file = directory.toRealPath().resolve(StoreNames.IN_USE);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<UseLock> lock = share(file);
      if (lock.isPresent()) {
        return lock.get();
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    throw new NoSuchFileException(file.toString(), null, "is being deleted by another process");
  }

  private static synchronized Optional<UseLock> share(Path file) throws IOException {
    UseLock held = HELD.get(file);
    if (held == null || !held.isThere()) {
      return take(file, true);
    } else if (held.shared) {
      held.users++;
      return Optional.of(held);
    }
    return Optional.empty();
  }

  /**
   * Takes a directory that no process uses, to delete it before the result is closed.
   *
   * @return empty if a process uses it, this one included
   * @throws IOException if the lock cannot be looked at, so that nothing is proven
   */
  public static synchronized Optional<UseLock> claim(Path directory) throws IOException {
    Path file = directory.toRealPath().resolve(StoreNames.IN_USE);
    return HELD.containsKey(file) ? Optional.empty() : take(file, false);
  }

  /**
   * Whether no process uses a directory. Writes nothing.
   *
   * @throws IOException as {@link #claim} does
   */
  public static synchronized boolean isFree(Path directory) throws IOException {
    Path file = directory.toRealPath().resolve(StoreNames.IN_USE);
    if (HELD.containsKey(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, Set.of(READ, WRITE, NOFOLLOW_LINKS))) {
      return lock(channel, false) != null;
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  /** The lock; empty if another process has it, or the file was deleted before it was locked. */
  private static Optional<UseLock> take(Path file, boolean shared) throws IOException {
    FileChannel channel =
        FileChannel.open(file, Set.of(CREATE, READ, WRITE, NOFOLLOW_LINKS), OWNER_ONLY);
    boolean ours = false;
    try {
      if (lock(channel, shared) != null) {
        UseLock lock = new UseLock(file, channel, shared);
        ours = lock.isThere();
        if (ours) {
          HELD.put(file, lock);
          return Optional.of(lock);
        }
      }
      return Optional.empty();
    } finally {
      if (!ours) {
        channel.close();
      }
    }
  }

  private static @Nullable FileLock lock(FileChannel channel, boolean shared) throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, shared);
    } catch (OverlappingFileLockException e) {
      return null; // another class loader of this process has it
    }
  }

  private static @Nullable Object inode(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS).fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private boolean isThere() throws IOException {
    return inode != null && inode.equals(inode(file));
  }

  /** Ends one use; the last one releases the lock. */
  @Override
  public void close() throws IOException {
    synchronized (UseLock.class) {
      users--;
      if (users == 0) {
        HELD.remove(file, this);
        channel.close();
      }
    }
  }
}

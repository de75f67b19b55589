package io.cairn.cache.memory.cuda;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An empty file under a kernel lock, which ends with the process at the latest. A free lock proves
 * that its process closed the file or is dead. The kernel releases the lock as soon as the process
 * closes any descriptor of the file. So no process opens a file that it holds: system properties,
 * which all class loaders share, record these. No call waits for a lock. Thread-safe.
 */
final class LockedFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LockedFile.class);
  private static final String HELD = "io.cairn.locked.";
  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-------");

  private final Path path;
  private final FileChannel channel;

  private LockedFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Makes a file and locks it.
   *
   * @param path unused, with a name that no other directory has
   * @return empty if another process looked at the file, and may have removed it, before it was
   *     locked
   * @throws IOException if the file exists, or the directory does not, or cannot be written
   */
  static Optional<LockedFile> make(Path path) throws IOException {
    System.setProperty(property(path), "held"); // before another thread can see the file
    LockedFile made = new LockedFile(path, create(path));
    boolean ours = false;
    try {
      ours = made.channel.tryLock() != null && made.exists();
      return ours ? Optional.of(made) : Optional.empty();
    } finally {
      if (!ours) {
        made.close();
      }
    }
  }

  private static FileChannel create(Path path) throws IOException {
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              path, Set.of(CREATE_NEW, WRITE), PosixFilePermissions.asFileAttribute(MODE));
      return channel;
    } finally {
      if (channel == null) {
        System.clearProperty(property(path));
      }
    }
  }

  /**
   * Whether a living process holds a file. Removes a file that nobody holds. What is no plain file
   * is held by nobody, and stays. One thread looks at a time: its end of a look would end another's
   * lock.
   *
   * @throws IOException if the operating system does not tell
   */
  static synchronized boolean isHeld(Path path) throws IOException {
    if (System.getProperty(property(path)) != null) {
      return true;
    } else if (!Files.isRegularFile(path, NOFOLLOW_LINKS)) { // to open a pipe would wait
      return false;
    }
    try (FileChannel channel = FileChannel.open(path, READ, NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      if (lock != null) {
        remove(path); // under the lock, so that no process holds it meanwhile
      }
      return lock == null;
    } catch (NoSuchFileException e) {
      return false;
    } catch (OverlappingFileLockException e) {
      return true; // another class loader looks at this moment: nothing is proven
    }
  }

  Path path() {
    return path;
  }

  /** Whether the file still has its name. */
  boolean exists() {
    return Files.exists(path, NOFOLLOW_LINKS);
  }

  /** Removes the file, and then releases the lock, which goes also if the file stays. */
  @Override
  public void close() {
    try (channel) {
      remove(path);
    } catch (IOException e) {
      LOG.warn("{} stays locked until this process ends", path, e);
    } finally {
      System.clearProperty(property(path));
    }
  }

  private static void remove(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.warn("cannot remove {}, which nobody needs any more; remove it by hand", path, e);
    }
  }

  private static String property(Path path) {
    return HELD + path.getFileName();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}

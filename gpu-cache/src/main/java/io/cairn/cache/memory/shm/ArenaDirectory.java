package io.cairn.cache.memory.shm;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where arenas lie: {@code arenas/} below a directory that others may share, readable by its owner
 * alone. A name is never used twice.
 */
final class ArenaDirectory {
  static final Pattern ARENA = Pattern.compile("[0-9a-f-]{36}\\.arena");

  private static final Logger LOG = LoggerFactory.getLogger(ArenaDirectory.class);
  private static final int ATTEMPTS = 10;
  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY_MODE =
      PosixFilePermissions.fromString("rwx------");

  private final Path directory;

  ArenaDirectory(Path parent) {
    directory = parent.toAbsolutePath().resolve("arenas");
  }

  /** Creates an arena; see {@link Arena#reserve}. */
  Arena create(long capacityBytes, int windowBytes) throws IOException {
    Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(DIRECTORY_MODE));
    Path real = directory.toRealPath();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Path path = real.resolve(UUID.randomUUID() + ".arena");
      HeldArenas.add(path);
      FileChannel channel = createLocked(path);
      // between creation and lock, a starting process may have taken it for a dead owner's
      if (Files.exists(path)) {
        return Arena.reserve(path, channel, capacityBytes, windowBytes);
      }
      channel.close();
      HeldArenas.remove(path);
    }
    throw new IOException(
        "%d new arenas in %s were removed by others before they could be locked"
            .formatted(ATTEMPTS, directory));
  }

  /**
   * Removes every arena whose owner is dead. One that cannot be removed is left, with a warning.
   */
  void removeDead() {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.toRealPath())) {
      for (Path file : files) {
        if (ARENA.matcher(file.getFileName().toString()).matches() && !HeldArenas.contains(file)) {
          removeIfDead(file);
        }
      }
    } catch (IOException e) {
      LOG.warn("cannot look for arenas of dead processes in {}", directory, e);
    }
  }

  private static void removeIfDead(Path file) {
    try (FileChannel channel = FileChannel.open(file, READ, NOFOLLOW_LINKS)) {
      if (ownerIsDead(channel)) {
        long bytes = channel.size();
        Files.delete(file);
        LOG.info("removed {}, {} bytes, whose owner is dead", file, bytes);
      }
    } catch (NoSuchFileException e) {
      LOG.debug("{} was removed by its owner or by another process", file);
    } catch (IOException e) {
      LOG.warn("cannot remove {}, an arena of a dead process", file, e);
    }
  }

  /** Whether nobody holds the lock; a shared one, so that processes that ask disturb none. */
  @SuppressWarnings("resource") // the lock ends with the channel, or with the process that holds it
  static boolean ownerIsDead(FileChannel channel) throws IOException {
    return channel.tryLock(0, Long.MAX_VALUE, true) != null;
  }

  private FileChannel createLocked(Path path) throws IOException {
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              path, Set.of(CREATE_NEW, READ, WRITE), PosixFilePermissions.asFileAttribute(MODE));
      channel.lock();
      requireOwnDirectory(path);
      return channel;
    } catch (IOException e) {
      if (channel != null) {
        Files.deleteIfExists(path);
        channel.close();
      }
      HeldArenas.remove(path);
      throw e;
    }
  }

  private void requireOwnDirectory(Path ourFile) throws IOException {
    if (!Files.getOwner(directory).equals(Files.getOwner(ourFile))
        || !Files.getPosixFilePermissions(directory).equals(DIRECTORY_MODE)) {
      throw new IOException(
          directory + " is not a directory of this user alone; remove it or make it rwx------");
    }
  }
}

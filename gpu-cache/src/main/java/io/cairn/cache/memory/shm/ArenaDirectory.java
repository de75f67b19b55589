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
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of arenas: {@code arenas/} below a directory that users may share. Its owner alone
 * can read it. A name is never used twice.
 */
final class ArenaDirectory {
  static final Pattern ARENA = Pattern.compile("[0-9a-f-]{36}\\.arena");

  private static final Logger LOG = LoggerFactory.getLogger(ArenaDirectory.class);
  private static final int ATTEMPTS = 10;
  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY_MODE =
      PosixFilePermissions.fromString("rwx------");

  private final Path parent;
  private final Path directory;

  ArenaDirectory(Path parent) {
    this.parent = parent;
    directory = parent.toAbsolutePath().resolve("arenas");
  }

  /** The directory that users may share. */
  Path parent() {
    return parent;
  }

  /**
   * Checks that a device's arenas leave as much room to others as they take.
   *
   * @param own bytes that the device has here
   * @param more bytes that it is to have
   * @throws IOException naming the free bytes, if they do not
   */
  void requireHalf(long own, long more) throws IOException {
    long usable = Files.getFileStore(made()).getUsableSpace();
    if (own + more > (own + usable) / 2) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%d bytes are free beside %d of this device, and half of both is left to others",
              usable,
              own));
    }
  }

  /** Whether an arena lies here. */
  boolean holds(Path arena) {
    return arena.startsWith(directory);
  }

  private Path made() throws IOException {
    Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(DIRECTORY_MODE));
    return directory.toRealPath();
  }

  /** Creates an arena; see {@link Arena#reserve}. */
  Arena create(long capacityBytes, int windowBytes) throws IOException {
    Path real = made();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Path path = real.resolve(UUID.randomUUID() + ".arena");
      Optional<FileChannel> channel = createLocked(path);
      if (channel.isPresent()) {
        return Arena.reserve(path, channel.get(), capacityBytes, windowBytes);
      }
    }
    throw new IOException(
        String.format(
            Locale.ROOT,
            "%d new arenas in %s were removed by others before they could be locked",
            ATTEMPTS,
            directory));
  }

  /** Removes every arena whose owner is dead; logs a warning for one that cannot be removed. */
  void removeDead() {
    if (!Files.isDirectory(directory, NOFOLLOW_LINKS)) {
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
      long bytes = channel.size();
      if (ArenaLock.deleteIfDead(channel, file)) {
        LOG.info("removed {}, {} bytes, whose owner is dead", file, bytes);
      }
    } catch (NoSuchFileException e) {
      LOG.debug("{} was removed by its owner or by another process", file);
    } catch (IOException e) {
      LOG.warn("cannot remove {}, an arena of a dead process", file, e);
    }
  }

  /** A new, locked file; empty if a starting process removed it before it was locked. */
  private Optional<FileChannel> createLocked(Path path) throws IOException {
    HeldArenas.add(path);
    FileChannel channel = null;
    boolean ours = false;
    try {
      channel =
          FileChannel.open(
              path, Set.of(CREATE_NEW, READ, WRITE), PosixFilePermissions.asFileAttribute(MODE));
      channel.lock();
      if (Files.exists(path)) {
        requireOwnDirectory(path);
        ours = true;
      }
      return ours ? Optional.of(channel) : Optional.empty();
    } finally {
      if (!ours) {
        giveUp(path, channel);
      }
    }
  }

  private static void giveUp(Path path, @Nullable FileChannel channel) throws IOException {
    try (FileChannel closed = channel) {
      if (closed != null) {
        Files.deleteIfExists(path);
      }
    } finally {
      HeldArenas.remove(path);
    }
  }

  private void requireOwnDirectory(Path ourFile) throws IOException {
    if (!Files.isDirectory(directory, NOFOLLOW_LINKS)
        || !Files.getOwner(directory).equals(Files.getOwner(ourFile))
        || !Files.getPosixFilePermissions(directory).equals(DIRECTORY_MODE)) {
      throw new IOException(
          directory + " is not a directory of this user alone; remove it or make it rwx------");
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}

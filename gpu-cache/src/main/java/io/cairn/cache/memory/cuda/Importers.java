package io.cairn.cache.memory.cuda;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that have the memory of one device open. Each holds a {@link LockedFile} in {@code
 * importers/} below the directory that it shares with the owner, who holds one there, too. An
 * importer makes its file first, and then looks for the owner. The owner ends its own file first,
 * and then looks for importers. So one of them sees the other. Thread-safe.
 */
final class Importers {
  private static final Logger LOG = LoggerFactory.getLogger(Importers.class);
  private static final Pattern FILE =
      Pattern.compile("[0-9a-f-]{36}(\\.owner|\\.[0-9]+\\.[0-9a-f-]{36}\\.importer)");
  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rwx------");
  private static final int ATTEMPTS = 10;

  private final Path directory;
  private final UUID device;

  /**
   * The importers of a device.
   *
   * @param parent of the directory of their files
   */
  Importers(Path parent, UUID device) {
    directory = parent.toAbsolutePath().resolve("importers");
    this.device = device;
  }

  /**
   * Shows the owner until the result is closed. Removes the files of dead processes first, in time
   * proportional to the number of files; logs a warning for those that it cannot look at.
   *
   * @throws IOException naming the directory, if it is not this user's alone, or cannot be written
   */
  LockedFile own() throws IOException {
    Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(MODE));
    removeOld();
    return make(() -> ".owner");
  }

  /**
   * Shows this process as an importer until the result is closed.
   *
   * @throws IOException naming the directory, if the owner shows itself elsewhere or no more
   */
  LockedFile join() throws IOException {
    try {
      long process = ProcessHandle.current().pid();
      LockedFile own = make(() -> "." + process + "." + UUID.randomUUID() + ".importer");
      if (Files.exists(owner(), NOFOLLOW_LINKS)) {
        return own;
      }
      own.close();
    } catch (NoSuchFileException e) {
      LOG.debug("{} has no importers", directory, e);
    }
    throw new IOException(
        "its owner has closed it, or keeps no files in "
            + directory
            + "; let both processes use one directory (device.dir)");
  }

  /**
   * The file of a living importer. Looks at each file of the directory.
   *
   * @throws IOException if nobody can tell
   */
  Optional<Path> any() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, device + ".*")) {
      for (Path file : files) {
        if (FILE.matcher(file.getFileName().toString()).matches() && LockedFile.isHeld(file)) {
          return Optional.of(file);
        }
      }
      return Optional.empty();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private void removeOld() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (FILE.matcher(file.getFileName().toString()).matches()) {
          removeIfOld(file);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      LOG.warn("cannot look for files of dead processes in {}", directory, e);
    }
  }

  private static void removeIfOld(Path file) {
    try {
      LockedFile.isHeld(file);
    } catch (IOException e) {
      LOG.warn("cannot tell whether {} is a dead process's; remove it by hand", file, e);
    }
  }

  /** The end of a file's name. */
  private interface Suffix {
    String next();
  }

  private LockedFile make(Suffix suffix) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<LockedFile> made = LockedFile.make(directory.resolve(device + suffix.next()));
      if (made.isPresent()) {
        return requireOwn(made.get());
      }
    }
    throw new IOException(
        String.format(
            Locale.ROOT,
            "%d new files in %s were removed by others before they could be locked",
            ATTEMPTS,
            directory));
  }

  private LockedFile requireOwn(LockedFile made) throws IOException {
    boolean own = false;
    try {
      own =
          Files.isDirectory(directory, NOFOLLOW_LINKS)
              && Files.getOwner(directory).equals(Files.getOwner(made.path()))
              && Files.getPosixFilePermissions(directory).equals(MODE);
    } finally {
      if (!own) {
        made.close();
      }
    }
    if (!own) {
      throw new IOException(
          directory + " is not a directory of this user alone; remove it or make it rwx------");
    }
    return made;
  }

  private Path owner() {
    return directory.resolve(device + ".owner");
  }
}

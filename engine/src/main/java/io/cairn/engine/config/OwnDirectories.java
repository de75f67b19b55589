package io.cairn.engine.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The default directories of a user, and the check that no other user can write into a directory.
 * The check matters because files in it are restored into a training.
 */
public final class OwnDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(OwnDirectories.class);
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Java's value for a user without an entry in the user database. */
  private static final String UNKNOWN = "?";

  private OwnDirectories() {}

  /**
   * A directory in shared memory, which survives processes and costs no disk; a temporary one on
   * systems without shared memory.
   */
  public static Path sharedMemory(String purpose) {
    Path shared = Path.of("/dev/shm");
    return Files.isWritable(shared) ? ofUser(shared).resolve(purpose) : temporary(purpose);
  }

  /** A directory on disk, for systems without shared memory. */
  public static Path temporary(String purpose) {
    return ofUser(temporary()).resolve(purpose);
  }

  /** The directories of this user that hold the defaults of settings, if they exist. */
  public static List<Path> defaults() {
    return List.of(ofUser(Path.of("/dev/shm")), ofUser(temporary()));
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
  }

  /** By the name of the user, or the number of one without a name, as in a container. */
  private static Path ofUser(Path base) {
    String name = System.getProperty("user.name", UNKNOWN);
    return base.resolve("cairn-" + (isUnknown(name) ? "uid-" + uid() : name));
  }

  private static String uid() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
    } catch (IOException | RuntimeException e) {
      LOG.debug("This system shows no user's number", e);
      return "unknown"; // the check of the owner keeps users apart
    }
  }

  private static boolean isUnknown(String property) {
    return property.isBlank() || property.equals(UNKNOWN);
  }

  /**
   * STORE's default, in the user's home.
   *
   * @throws IllegalArgumentException if the system knows no home; names the setting
   */
  static Path defaultStore() {
    return home()
        .map(home -> home.resolve(".cairn/store"))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Setting.STORE.name()
                        + ": its default lies in the home directory, and this user has none: set "
                        + Setting.STORE.name()
                        + ", or the environment's HOME"));
  }

  /** The home of this user; empty if the system knows none. */
  static Optional<Path> home() {
    return home(System.getProperty("user.home", UNKNOWN), System.getenv("HOME"));
  }

  /**
   * The home of a user.
   *
   * @param ofSystem that of the user database, in which the user of a container may be missing
   * @param ofShell the environment's
   */
  static Optional<Path> home(String ofSystem, @Nullable String ofShell) {
    return Stream.of(ofSystem, ofShell == null ? UNKNOWN : ofShell)
        .filter(home -> !isUnknown(home) && Path.of(home).isAbsolute())
        .map(Path::of)
        .findFirst();
  }

  /**
   * Makes the directory above the default store. The directory above any other store must exist: if
   * it does not, the setting is wrong or the file system is not mounted.
   *
   * @param store as configured
   * @throws IOException if the directory cannot be made
   */
  public static void makeDefaultStore(String store) throws IOException {
    if (home().isPresent() && store.equals(defaultStore().toString())) {
      try {
        makeParent(defaultStore());
      } catch (IOException e) {
        throw new IOException(
            "%s: the directory of its default, %s, cannot be made (%s): set %s, or HOME"
                .formatted(Setting.STORE.name(), store, e, Setting.STORE.name()),
            e);
      }
    }
  }

  /** Makes the directory above the default of a setting, and checks that this user owns it. */
  public static void makeDefault(Setting<?> setting, Path directory, Path defaultDirectory)
      throws IOException {
    if (directory.equals(defaultDirectory)) {
      require(setting, makeParent(directory));
    }
  }

  /** Makes the directory above one of the user's own; returns it. */
  static Path makeParent(Path directory) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IOException(directory + " has no directory above it");
    }
    return Files.createDirectories(parent, OWNER_ONLY);
  }

  /**
   * Checks that this user owns a directory and others cannot write into it.
   *
   * @throws IOException naming setting, directory and owner, if another user owns it, or every user
   *     may write into it
   */
  public static void require(Setting<?> setting, Path directory) throws IOException {
    UserPrincipal self = self(directory);
    UserPrincipal owner = Files.getOwner(directory);
    if (!owner.equals(self)) {
      throw new IOException(
          setting.name()
              + ": "
              + directory
              + " belongs to user "
              + owner
              + ", this process runs as "
              + self
              + ": checkpoints are read from it, so choose a directory of your own");
    }
    if (Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException(
          setting.name()
              + ": every user may write into "
              + directory
              + ": checkpoints are read from it, so make it rwx------ or choose another one");
    }
  }

  /**
   * The owner of the files that this process makes in the temporary directory.
   *
   * @throws IOException if it can make none there
   */
  public static UserPrincipal self() throws IOException {
    return self(temporary());
  }

  /** The owner of the files that this process makes. */
  private static UserPrincipal self(Path directory) throws IOException {
    Path made = Files.createTempFile(directory, ".owner-", "");
    try {
      return Files.getOwner(made);
    } finally {
      if (!Files.deleteIfExists(made)) {
        LOG.debug("{} was removed by another process", made);
      }
    }
  }
}

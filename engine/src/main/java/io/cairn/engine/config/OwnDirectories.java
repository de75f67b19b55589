package io.cairn.engine.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
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
    return ofUser(Path.of(System.getProperty("java.io.tmpdir", "/tmp"))).resolve(purpose);
  }

  private static Path ofUser(Path base) {
    return base.resolve("cairn-" + System.getProperty("user.name", "user"));
  }

  /** STORE's default, in the user's home. */
  static Path defaultStore() {
    return Path.of(System.getProperty("user.home", ".")).resolve(".cairn/store");
  }

  /**
   * Makes the directory above the default store. The directory above any other store must exist: if
   * it does not, the setting is wrong or the file system is not mounted.
   *
   * @param store as configured
   * @throws IOException if the directory cannot be made
   */
  public static void makeDefaultStore(String store) throws IOException {
    if (store.equals(defaultStore().toString())) {
      makeParent(defaultStore());
    }
  }

  /** Makes the directory above the default of a setting, and checks that this user owns it. */
  public static void makeDefault(Setting setting, Path directory, Path defaultDirectory)
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
  public static void require(Setting setting, Path directory) throws IOException {
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

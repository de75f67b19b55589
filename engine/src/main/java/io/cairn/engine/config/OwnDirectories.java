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
 * The directories that are a user's own: where they are by default, and the proof that nobody else
 * can put files into them. What lies in them is restored into a training.
 */
public final class OwnDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(OwnDirectories.class);
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private OwnDirectories() {}

  /** Shared memory survives processes and costs no disk; not every system has it. */
  public static Path sharedMemory(String purpose) {
    Path shared = Path.of("/dev/shm");
    return Files.isWritable(shared) ? ofUser(shared).resolve(purpose) : temporary(purpose);
  }

  /** Where there is no shared memory. */
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
   * Makes the directory above the default store. Above any other store it is its user's to make: if
   * it is missing, that is a mistake or no mount.
   *
   * @param store as configured
   * @throws IOException if it cannot be made
   */
  public static void makeDefaultStore(String store) throws IOException {
    if (store.equals(defaultStore().toString())) {
      makeParent(defaultStore());
    }
  }

  /** Makes the directory above the default of a setting, and proves it this user's. */
  public static void makeDefault(Setting setting, Path directory, Path defaultDirectory)
      throws IOException {
    if (directory.equals(defaultDirectory)) {
      require(setting, makeParent(directory));
    }
  }

  private static Path makeParent(Path directory) throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IOException(directory + " has no directory above it");
    }
    return Files.createDirectories(parent, OWNER_ONLY);
  }

  /**
   * Proves that a directory is this user's.
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

  /** Whoever owns what this process makes. */
  private static UserPrincipal self(Path directory) throws IOException {
    Path made = Files.createTempFile(directory, ".owner-", "");
    try {
      return Files.getOwner(made);
    } finally {
      if (!Files.deleteIfExists(made)) {
        LOG.debug("{} was removed by somebody else", made);
      }
    }
  }
}

package io.cairn.flush.store;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * Creates, syncs and deletes the directories of a local store. Only the owner can access them.
 *
 * @param root absolute
 */
record LocalDirectories(Path root, Durability durability, StoreErrors errors) {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Creates the root, but not its parent: a missing parent indicates a typo or a missing mount. */
  void makeRoot() throws IOException {
    Path parent = root.getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      throw new IOException(
          "cannot open store "
              + root
              + ": the directory "
              + parent
              + (Files.exists(parent)
                  ? " above it is a file, not a directory: correct the path"
                  : " above it does not exist: create or mount it, or correct the path"));
    }
    try {
      Files.createDirectory(root, OWNER_ONLY);
      if (parent != null && durability == Durability.MEDIA) {
        force(parent);
      }
    } catch (FileAlreadyExistsException e) {
      requireRoot();
    } catch (IOException e) {
      throw StoreRefusal.refusal(errors.store(), "a writable parent directory", e);
    }
  }

  /**
   * The path of a file below the root.
   *
   * @throws NotDirectoryException if a directory on the way to it is a symbolic link
   */
  Path resolve(String path) throws IOException {
    return root.resolve(path).equals(root)
        ? root
        : resolveDirectory(StorePath.parent(path)).resolve(root.resolve(path).getFileName());
  }

  /**
   * The path of a directory below the root.
   *
   * @throws NotDirectoryException if it, or a directory on the way to it, is a symbolic link
   */
  Path resolveDirectory(String directory) throws IOException {
    Path at = root;
    for (String segment : directory.split("/", -1)) {
      at = at.resolve(segment);
      if (!at.equals(root) && Files.isSymbolicLink(at)) {
        throw errors.notDirectory(root.relativize(at).toString());
      }
    }
    return at;
  }

  /** Throws if the root is gone; called before anything is reported as missing. */
  void requireRoot() throws IOException {
    if (!Files.isDirectory(root)) {
      throw missing();
    }
  }

  /** An error of a root that is no directory, is missing, or may not be looked at. */
  private IOException missing() {
    try {
      root.getFileSystem().provider().checkAccess(root);
      return errors.notDirectory(StorePath.ROOT);
    } catch (NoSuchFileException e) {
      return errors.gone();
    } catch (IOException e) {
      return errors.failed("look at", StorePath.ROOT, e);
    }
  }

  /**
   * Creates directories one by one below the root, since {@link Files#createDirectories} would
   * create a missing root again.
   */
  void make(String directory) throws IOException {
    requireRoot();
    Path path = root;
    for (String segment : directory.split("/", -1)) {
      path = path.resolve(segment);
      try {
        Files.createDirectory(path, OWNER_ONLY);
      } catch (FileAlreadyExistsException e) {
        if (!Files.isDirectory(path, NOFOLLOW_LINKS)) {
          throw errors.notDirectory(root.relativize(path).toString());
        }
      }
    }
  }

  /** Forces every directory from the file's up to the root, since any of them may be new. */
  void forceAbove(Path file) throws IOException {
    if (durability == Durability.PROCESS) {
      return;
    }
    for (Path at = file.getParent(); at != null && at.startsWith(root); at = at.getParent()) {
      force(at);
    }
  }

  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Deletes a directory bottom-up; symbolic links are removed, not followed. */
  static void delete(Path directory) throws IOException {
    Files.walkFileTree(directory, new Deletion());
  }

  /** Deletes a tree; ignores entries that another process deletes at the same time. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
      if (error instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw error;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException error)
        throws IOException {
      if (error != null) {
        throw error;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}

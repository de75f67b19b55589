package io.cairn.flush.store;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A store in a local directory. Only the owner can access files and directories below the root.
 * Symbolic links there are never followed, and pipes never opened: both are listed as files that
 * cannot be read. Thread-safe, and safe among processes.
 */
public final class LocalStore implements CheckpointStore {
  /*
   * Publication
   * -----------
   * A hard link creates the final name, then the old name is unlinked. A link rejects an existing
   * name in one step, while Java's rename overwrites it. In between both names exist. A process
   * that dies there leaves both, with the same bytes.
   *
   * Durability
   * ----------
   * With MEDIA, a sync forces the file, and a creation or publication forces every directory from
   * the file's up to the root. The link is durable before the unlink, so no crash leaves a file
   * without a name.
   *
   * Root
   * ----
   * Directories are created on demand, but the root only by open(). A root that has vanished is an
   * error of every method and never an empty store.
   */

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<StandardOpenOption> NEW_FILE =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private final Path root;
  private final Durability durability;
  private final StoreErrors errors;
  private final LocalDirectories directories;

  private LocalStore(Path root, Durability durability) {
    this.root = root.toAbsolutePath().normalize();
    this.durability = durability;
    this.errors = new StoreErrors(this.root.toString());
    this.directories = new LocalDirectories(this.root, durability, errors);
  }

  /**
   * Opens a store for writing. Creates the root if its parent exists, and probes the semantics that
   * the commit needs.
   *
   * @param durability the event that synced and published files survive
   * @throws IOException if the store cannot be used; names the cause and the remedy
   */
  public static LocalStore open(Path root, Durability durability) throws IOException {
    LocalStore store = new LocalStore(root, durability);
    store.directories.makeRoot();
    StoreProbe.require(store);
    return store;
  }

  /**
   * Opens an existing store for reading. Writes nothing, and therefore probes nothing.
   *
   * @throws IOException if the directory does not exist
   */
  public static LocalStore openForReading(Path root) throws IOException {
    LocalStore store = new LocalStore(root, Durability.MEDIA);
    store.directories.requireRoot();
    return store;
  }

  @Override
  public String describe() {
    return errors.store();
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    Path file = directories.resolve(StorePath.require(path));
    FileChannel channel = openNew(path, file);
    try {
      directories.forceAbove(file);
    } catch (IOException e) {
      channel.close();
      throw errors.failed("make durable", path, e);
    }
    return new LocalOutput(channel, path, durability, errors);
  }

  private FileChannel openNew(String path, Path file) throws IOException {
    try {
      return FileChannel.open(file, NEW_FILE, OWNER_ONLY);
    } catch (NoSuchFileException e) {
      makeDirectory(StorePath.parent(path));
    } catch (IOException e) {
      throw notCreated(path, e);
    }
    try {
      return FileChannel.open(file, NEW_FILE, OWNER_ONLY);
    } catch (IOException e) {
      throw notCreated(path, e);
    }
  }

  private IOException notCreated(String path, IOException cause) {
    return cause instanceof FileAlreadyExistsException
        ? errors.exists(path, cause)
        : errors.failed("create", path, cause);
  }

  private void makeDirectory(String directory) throws IOException {
    try {
      directories.make(directory);
    } catch (IOException e) {
      throw errors.failed("make directory", directory, e);
    }
  }

  @Override
  public void publish(String from, String to) throws IOException {
    StorePath.requireSiblings(from, to);
    Path source = directories.resolve(from);
    Path target = directories.resolve(to);
    try {
      Files.createLink(target, source);
    } catch (FileAlreadyExistsException e) {
      throw errors.exists(to, e);
    } catch (NoSuchFileException e) {
      directories.requireRoot();
      throw errors.missing(from, e);
    } catch (IOException | UnsupportedOperationException e) {
      throw errors.failed("link " + errors.at(from) + " as", to, e);
    }
    try {
      directories.forceAbove(target);
      Files.deleteIfExists(source);
    } catch (IOException e) {
      throw errors.failed("finish publishing", to, e);
    }
  }

  @Override
  public boolean replace(String from, String to) throws IOException {
    StorePath.requireSiblings(from, to);
    Path target = directories.resolve(to);
    try {
      Files.move(directories.resolve(from), target, StandardCopyOption.ATOMIC_MOVE);
      directories.forceAbove(target);
      return true;
    } catch (NoSuchFileException e) {
      directories.requireRoot();
      throw errors.missing(from, e);
    } catch (IOException e) {
      throw errors.failed("rename " + errors.at(from) + " to", to, e);
    }
  }

  @Override
  public StoreInput open(String path) throws IOException {
    Path file = directories.resolve(StorePath.require(path));
    try {
      // the kernel would open a directory without an error, and wait for the writer of a pipe
      BasicFileAttributes attributes = attributes(file);
      if (attributes.isDirectory()) {
        throw errors.isDirectory(path);
      } else if (!attributes.isRegularFile()) {
        throw errors.isNoFile(path);
      }
      return LocalInput.of(
          FileChannel.open(file, Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS)), path, errors);
    } catch (NoSuchFileException e) {
      directories.requireRoot();
      throw errors.missing(path, e);
    } catch (IOException e) {
      throw errors.failed("open", path, e);
    }
  }

  @Override
  public List<StoreEntry> list(String directory) throws IOException {
    Path path = directories.resolveDirectory(StorePath.requireDirectory(directory));
    List<StoreEntry> entries = new ArrayList<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
      for (Path child : children) {
        StoreEntry entry = entry(child);
        if (entry != null) {
          entries.add(entry);
        }
      }
    } catch (NoSuchFileException e) {
      directories.requireRoot();
      return List.of();
    } catch (NotDirectoryException e) {
      throw errors.notDirectory(directory);
    } catch (IOException e) {
      throw errors.failed("list", directory, e);
    } catch (DirectoryIteratorException e) {
      throw errors.failed("list", directory, e);
    }
    entries.sort(Comparator.comparing(StoreEntry::name));
    return entries;
  }

  /** The entry of a child; null if it vanished after the listing. */
  private static @Nullable StoreEntry entry(Path child) throws IOException {
    try {
      BasicFileAttributes attributes = attributes(child);
      boolean directory = attributes.isDirectory();
      return new StoreEntry(
          child.getFileName().toString(), directory, directory ? 0 : attributes.size());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public boolean delete(String path) throws IOException {
    Path file = directories.resolve(StorePath.require(path));
    try {
      if (attributes(file).isDirectory()) {
        throw errors.isDirectory(path);
      }
      Files.delete(file);
      return true;
    } catch (NoSuchFileException e) {
      directories.requireRoot();
      return false;
    } catch (IOException e) {
      throw errors.failed("delete", path, e);
    }
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    Path path = directories.resolve(StorePath.require(directory));
    try {
      if (!attributes(path).isDirectory()) {
        throw errors.notDirectory(directory);
      }
      LocalDirectories.delete(path);
      return true;
    } catch (NoSuchFileException e) {
      directories.requireRoot();
      return false;
    } catch (NotDirectoryException e) {
      throw e;
    } catch (IOException e) {
      throw errors.failed("delete directory", directory, e);
    }
  }

  @Override
  public void close() {}

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS);
  }
}

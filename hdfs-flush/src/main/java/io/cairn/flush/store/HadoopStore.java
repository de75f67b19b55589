package io.cairn.flush.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in a Hadoop file system, under the credentials of the current user. Only the owner can
 * access its files and directories. Thread-safe, and safe among processes.
 */
public final class HadoopStore implements CheckpointStore {
  private static final Logger LOG = LoggerFactory.getLogger(HadoopStore.class);

  /*
   * Connection
   * ----------
   * Each store has its own FileSystem instance, so closing it does not close the cached instance
   * that other code in the process shares.
   *
   * Root
   * ----
   * Only open() creates the root. Every method that finds a path missing checks the root, so a root
   * that has vanished is an error and never an empty store.
   *
   * Durability
   * ----------
   * Files are created with SYNC_BLOCK and synced by hsync(). Closing a stream persists nothing.
   *
   * Observers
   * ---------
   * An Observer NameNode may answer with an older state. A client asks for its own changes at least,
   * but not for those of others. msync() makes the next answer include these.
   *
   * Publication
   * -----------
   * A rename that must not replace an existing name; see HadoopPublication. An object store has no
   * rename that is one step; see ConditionalPutStore.
   */

  /** Length of the heap buffer for direct buffers, since Hadoop's streams accept arrays only. */
  static final int COPY_BYTES = 256 << 10;

  private static final int WRITE_BUFFER_BYTES = 64 << 10;
  private static final FsPermission OWNER_FILE =
      new FsPermission(FsAction.READ_WRITE, FsAction.NONE, FsAction.NONE);
  private static final FsPermission OWNER_DIRECTORY =
      new FsPermission(FsAction.ALL, FsAction.NONE, FsAction.NONE);

  private final FileSystem files;
  private final Path root;
  private final StoreErrors errors;
  private final HadoopPublication publication;

  /** Whether the file system can be asked to answer no older than now. */
  private volatile boolean canSynchronise = true;

  private HadoopStore(FileSystem files, Path root) {
    this.files = files;
    this.root = root;
    this.errors = new StoreErrors(root.toString());
    this.publication = new HadoopPublication(files);
  }

  /**
   * Opens a store for writing. Creates a missing root, and probes the semantics that the commit
   * needs.
   *
   * @return a store of this class, or one that puts objects where the file system can do so only if
   *     their names are absent
   * @throws IOException if the store cannot be used; names the cause and the remedy
   */
  public static CheckpointStore open(URI uri, Configuration conf) throws IOException {
    HadoopStore store = connect(uri, conf);
    try {
      store.makeRoot();
      CheckpointStore writable = store.writable();
      StoreProbe.require(writable);
      ObjectStores.doubt(uri).ifPresent(LOG::warn);
      return writable;
    } catch (IOException e) {
      throw store.closedAfter(e);
    }
  }

  /**
   * Opens an existing store for writing whose semantics another process has probed. Writes nothing
   * yet, and costs one call, where a probe by each of a thousand processes costs tens of thousands.
   *
   * @throws IOException if the directory does not exist or cannot be reached
   */
  public static CheckpointStore openProbed(URI uri, Configuration conf) throws IOException {
    HadoopStore store = openExisting(uri, conf, "writing");
    try {
      return store.writable();
    } catch (IOException e) {
      throw store.closedAfter(e);
    }
  }

  /**
   * Opens an existing store for reading. Writes nothing, and therefore probes nothing.
   *
   * @throws IOException if the directory does not exist or cannot be reached
   */
  public static HadoopStore openForReading(URI uri, Configuration conf) throws IOException {
    return openExisting(uri, conf, "reading");
  }

  private static HadoopStore openExisting(URI uri, Configuration conf, String purpose)
      throws IOException {
    HadoopStore store = connect(uri, conf);
    try {
      store.requireRoot();
      return store;
    } catch (IOException e) {
      throw store.closedAfter(StoreRefusal.refusal(store.describe(), purpose, e));
    }
  }

  private static HadoopStore connect(URI uri, Configuration conf) throws IOException {
    try {
      FileSystem files = FileSystem.newInstance(uri, conf);
      return new HadoopStore(files, files.makeQualified(new Path(uri)));
    } catch (IOException | IllegalArgumentException e) {
      throw StoreRefusal.refusal(uri.toString(), "a Hadoop file system", e);
    }
  }

  private CheckpointStore writable() throws IOException {
    return ConditionalPutStore.isFor(files, root) ? new ConditionalPutStore(files, this) : this;
  }

  private void makeRoot() throws IOException {
    try {
      if (!files.exists(root)) {
        files.mkdirs(root, OWNER_DIRECTORY);
      }
      requireRoot();
    } catch (IOException e) {
      throw StoreRefusal.refusal(describe(), "a root directory", e);
    }
  }

  private IOException closedAfter(IOException error) {
    try {
      files.close();
    } catch (IOException e) {
      error.addSuppressed(e);
    }
    return error;
  }

  @Override
  public String describe() {
    return errors.store();
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    Path file = resolve(StorePath.require(path));
    try {
      return output(path, file);
    } catch (FileNotFoundException e) {
      // the parent is missing; a missing root is never created again
      requireRoot();
      makeDirectory(StorePath.parent(path));
    } catch (IOException e) {
      throw notCreated(path, e);
    }
    try {
      return output(path, file);
    } catch (IOException e) {
      throw notCreated(path, e);
    }
  }

  /** Opens a new file. Without SYNC_BLOCK, a sync would cover only the current block. */
  private StoreOutput output(String path, Path file) throws IOException {
    FSDataOutputStream out =
        files.createNonRecursive(
            file,
            OWNER_FILE,
            EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK),
            WRITE_BUFFER_BYTES,
            files.getDefaultReplication(file),
            files.getDefaultBlockSize(file),
            null);
    return new HadoopOutput(out, path, errors);
  }

  private IOException notCreated(String path, IOException cause) {
    return HadoopPublication.meansExists(cause)
        ? errors.exists(path, cause)
        : errors.failed("create", path, cause);
  }

  private void makeDirectory(String directory) throws IOException {
    try {
      files.mkdirs(resolve(directory), OWNER_DIRECTORY);
    } catch (IOException e) {
      throw errors.failed("make directory", directory, e);
    }
  }

  @Override
  public void publish(String from, String to) throws IOException {
    StorePath.requireSiblings(from, to);
    switch (rename(from, to)) {
      case DONE -> {}
      case TARGET_EXISTS -> throw errors.exists(to, null);
      case SOURCE_MISSING -> {
        requireRoot();
        throw errors.missing(from, null);
      }
    }
  }

  private HadoopPublication.Result rename(String from, String to) throws IOException {
    try {
      return publication.rename(resolve(from), resolve(to));
    } catch (IOException e) {
      throw errors.failed("publish " + errors.at(from) + " as", to, e);
    }
  }

  @Override
  public StoreInput open(String path) throws IOException {
    Path file = resolve(StorePath.require(path));
    try {
      synchronise();
      FSDataInputStream in = files.open(file);
      return new HadoopInput(in, path, length(in, file), errors);
    } catch (FileNotFoundException e) {
      requireNoDirectory(file, path);
      requireRoot();
      throw errors.missing(path, e);
    } catch (IOException e) {
      throw errors.failed("open", path, e);
    }
  }

  /** HDFS sends the length when it opens a file, so that the NameNode is asked once. */
  private long length(FSDataInputStream in, Path file) throws IOException {
    if (in instanceof HdfsDataInputStream hdfs) {
      return hdfs.getVisibleLength();
    }
    try {
      return files.getFileStatus(file).getLen();
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** A directory cannot be opened, either, and is no missing file. */
  private void requireNoDirectory(Path file, String path) throws IOException {
    try {
      if (files.getFileStatus(file).isDirectory()) {
        throw errors.isDirectory(path);
      }
    } catch (FileNotFoundException e) {
      LOG.trace("{} does not exist", file, e);
    }
  }

  @Override
  public List<StoreEntry> list(String directory) throws IOException {
    Path path = resolve(StorePath.requireDirectory(directory));
    try {
      synchronise();
      FileStatus[] found = files.listStatus(path);
      // listing a file returns the file itself
      if (found.length == 1 && found[0].isFile() && found[0].getPath().equals(path)) {
        throw errors.notDirectory(directory);
      }
      return Arrays.stream(found)
          .map(HadoopStore::entry)
          .sorted(Comparator.comparing(StoreEntry::name))
          .toList();
    } catch (FileNotFoundException e) {
      requireRoot();
      return List.of();
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw errors.failed("list", directory, e);
    }
  }

  /** The next answer includes what other clients did before; without Observers it always does. */
  private void synchronise() throws IOException {
    if (canSynchronise) {
      try {
        files.msync();
      } catch (UnsupportedOperationException e) {
        canSynchronise = false;
      }
    }
  }

  private static StoreEntry entry(FileStatus status) {
    boolean directory = status.isDirectory();
    return new StoreEntry(status.getPath().getName(), directory, directory ? 0 : status.getLen());
  }

  @Override
  public boolean delete(String path) throws IOException {
    Path file = resolve(StorePath.require(path));
    try {
      if (files.getFileStatus(file).isDirectory()) {
        throw errors.isDirectory(path);
      }
      return files.delete(file, false);
    } catch (FileNotFoundException e) {
      requireRoot();
      return false;
    } catch (IOException e) {
      throw errors.failed("delete", path, e);
    }
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    Path path = resolve(StorePath.require(directory));
    try {
      if (!files.getFileStatus(path).isDirectory()) {
        throw errors.notDirectory(directory);
      }
      return files.delete(path, true);
    } catch (FileNotFoundException e) {
      requireRoot();
      return false;
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw errors.failed("delete directory", directory, e);
    }
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  Path resolve(String path) {
    return path.isEmpty() ? root : new Path(root, path);
  }

  private void requireRoot() throws IOException {
    try {
      if (!files.getFileStatus(root).isDirectory()) {
        throw errors.notDirectory(StorePath.ROOT);
      }
    } catch (FileNotFoundException e) {
      throw errors.gone();
    }
  }
}

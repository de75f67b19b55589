package io.cairn.flush.store;

import io.cairn.core.model.OpenParts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.jspecify.annotations.Nullable;
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
   * that other code in the process shares. Hadoop's shutdown hook does not close it either: the
   * last checkpoint of a process that receives SIGTERM is written beside that hook.
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
   * An Observer NameNode may answer with an older state. A client asks for its own changes at
   * least, but not for those of others. msync() makes the next answer include these. It is one more
   * call of the NameNode, so it is made only where the configuration lets the client read of
   * Observers.
   *
   * Publication
   * -----------
   * A rename that must not replace an existing name; see HadoopPublication. An object store has no
   * rename that is one step; see ConditionalPutStore.
   */

  /** Length of the heap buffer for direct buffers, since Hadoop's streams accept arrays only. */
  static final int COPY_BYTES = 256 << 10;

  private final FileSystem files;
  private final HadoopRoot root;
  private final StoreErrors errors;
  private final HadoopCreation creation;
  private final HadoopPublication publication;

  /**
   * Whether the next answer may be older than now, unless the file system is asked for its state.
   */
  private volatile boolean mayLag;

  private HadoopStore(HadoopRoot root) {
    this.files = root.files();
    this.root = root;
    this.errors = root.errors();
    this.creation = new HadoopCreation(root);
    this.publication = new HadoopPublication(files);
    this.mayLag = readsOfObservers(files.getConf(), root.path().toUri().getHost());
  }

  private static boolean readsOfObservers(Configuration conf, @Nullable String nameService) {
    return conf.get("dfs.client.failover.proxy.provider." + nameService, "").contains("Observer")
        || conf.getBoolean("dfs.client.rbf.observer.read.enable", false);
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
      store.root.make();
      CheckpointStore writable = store.writable();
      StoreProbe.require(writable);
      ObjectStores.doubt(uri).ifPresent(LOG::warn);
      return writable;
    } catch (IOException e) {
      throw store.closedAfter(e);
    } catch (IllegalArgumentException e) {
      throw store.closedAfter(refusal(uri, conf, e));
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
      store.root.require();
      return store;
    } catch (IOException e) {
      throw store.closedAfter(StoreRefusal.refusal(store.describe(), purpose, e));
    }
  }

  private static HadoopStore connect(URI uri, Configuration conf) throws IOException {
    try {
      Configuration own = new Configuration(conf);
      own.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
      FileSystem files = FileSystem.newInstance(uri, own);
      Path made = files.makeQualified(new Path(uri));
      HadoopStore store = new HadoopStore(new HadoopRoot(files, made));
      if (!isPlace(uri, made.toUri())) {
        throw store.closedAfter(
            new StoreRefusedException(
                "cannot use store " + uri + ": it would be at " + made, null));
      }
      return store;
    } catch (IOException | IllegalArgumentException e) {
      throw refusal(uri, conf, e);
    }
  }

  private static IOException refusal(URI uri, Configuration conf, Exception cause) {
    Optional<StoreRefusedException> illegal = HadoopValues.refusal(uri.toString(), conf, cause);
    return illegal.isPresent()
        ? illegal.get()
        : StoreRefusal.refusal(uri.toString(), "a Hadoop file system", cause);
  }

  /** Whether a store that was made lies where it was asked for. */
  private static boolean isPlace(URI asked, URI made) {
    return asked.getRawQuery() == null
        && asked.getRawFragment() == null
        && plain(asked).equals(plain(made))
        && (asked.getAuthority() == null || asked.getAuthority().equals(made.getAuthority()));
  }

  private static String plain(URI place) {
    String path = place.normalize().getPath().replaceAll("/+", "/");
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  private CheckpointStore writable() throws IOException {
    return ConditionalPutStore.isFor(root) ? new ConditionalPutStore(root, this) : this;
  }

  private IOException closedAfter(IOException error) {
    OpenParts.closeAfter(files, error);
    return error;
  }

  @Override
  public String describe() {
    return errors.store();
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    return creation.create(path);
  }

  @Override
  public void publish(String from, String to) throws IOException {
    StorePath.requireSiblings(from, to);
    switch (rename(from, to)) {
      case DONE -> {}
      case TARGET_EXISTS -> throw errors.exists(to, null);
      case SOURCE_MISSING -> {
        root.require();
        throw errors.missing(from, null);
      }
    }
  }

  @Override
  public boolean replace(String from, String to) throws IOException {
    StorePath.requireSiblings(from, to);
    try {
      return publication.replace(root.resolve(from), root.resolve(to));
    } catch (FileNotFoundException e) {
      root.require();
      throw errors.missing(from, e);
    } catch (IOException e) {
      throw errors.failed("rename " + errors.at(from) + " to", to, e);
    }
  }

  private HadoopPublication.Result rename(String from, String to) throws IOException {
    try {
      return publication.rename(root.resolve(from), root.resolve(to));
    } catch (IOException e) {
      throw errors.failed("publish " + errors.at(from) + " as", to, e);
    }
  }

  @Override
  public StoreInput open(String path) throws IOException {
    Path file = root.resolve(StorePath.require(path));
    try {
      synchronise();
      FSDataInputStream in = files.open(file);
      return new HadoopInput(in, path, length(in, file), errors);
    } catch (FileNotFoundException e) {
      requireNoDirectory(file, path);
      root.require();
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
    Path path = root.resolve(StorePath.requireDirectory(directory));
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
      root.require();
      return List.of();
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw errors.failed("list", directory, e);
    }
  }

  /** The next answer includes what other clients did before; without Observers it always does. */
  private void synchronise() throws IOException {
    if (mayLag) {
      try {
        files.msync();
      } catch (UnsupportedOperationException e) {
        mayLag = false;
      }
    }
  }

  private static StoreEntry entry(FileStatus status) {
    boolean directory = status.isDirectory();
    return new StoreEntry(status.getPath().getName(), directory, directory ? 0 : status.getLen());
  }

  @Override
  public boolean delete(String path) throws IOException {
    Path file = root.resolve(StorePath.require(path));
    try {
      if (files.getFileStatus(file).isDirectory()) {
        throw errors.isDirectory(path);
      }
      return files.delete(file, false);
    } catch (FileNotFoundException e) {
      root.require();
      return false;
    } catch (IOException e) {
      throw errors.failed("delete", path, e);
    }
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    Path path = root.resolve(StorePath.require(directory));
    try {
      if (!files.getFileStatus(path).isDirectory()) {
        throw errors.notDirectory(directory);
      }
      return files.delete(path, true);
    } catch (FileNotFoundException e) {
      root.require();
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
}

package io.cairn.flush.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.Options.CreateFileOptionKeys;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in an object store, such as S3 through S3A. An object appears, whole and durable, when
 * its stream is closed, if the name is absent at that moment. Thread-safe, and safe among
 * processes.
 */
final class ConditionalPutStore implements CheckpointStore {
  /*
   * Publication
   * -----------
   * There is no rename that is one step. A publication reads the temporary object and puts its
   * bytes under the final name, if that is absent. So it is one conditional put.
   *
   * Doubt
   * -----
   * A commit deletes the temporary file before it reports a failure: a late rename then finds
   * nothing. A late put needs no temporary object. Therefore the delete of one whose put is in
   * doubt reports that it removed nothing, which proves nothing, and the commit's outcome is
   * unknown. A put that failed is in no doubt once the final name exists: its bytes are there, or
   * it cannot take effect any more.
   */

  private static final Logger LOG = LoggerFactory.getLogger(ConditionalPutStore.class);

  private static final String CONDITIONAL =
      CreateFileOptionKeys.FS_OPTION_CREATE_CONDITIONAL_OVERWRITE;

  /** No manifest is longer. */
  private static final long MOST_PUBLISHED_BYTES = 16 << 20;

  private final HadoopRoot root;
  private final HadoopStore objects;
  private final StoreErrors errors;
  private final Set<String> inDoubt = ConcurrentHashMap.newKeySet();

  /**
   * A store whose puts are conditional.
   *
   * @param objects reads, lists and deletes there; closed with this
   */
  ConditionalPutStore(HadoopRoot root, HadoopStore objects) {
    this.root = root;
    this.objects = objects;
    this.errors = root.errors();
  }

  /**
   * Whether a file system creates an object only if its name is absent when its stream is closed.
   */
  static boolean isFor(HadoopRoot root) throws IOException {
    return root.files().hasPathCapability(root.path(), CONDITIONAL);
  }

  @Override
  public String describe() {
    return objects.describe();
  }

  /** Looks for the name first, so that nobody sends a container in vain. */
  @Override
  public StoreOutput create(String path) throws IOException {
    Path file = root.resolve(StorePath.require(path));
    if (exists(file, path)) {
      throw errors.exists(path, null);
    }
    return new ConditionalOutput(put(file, path), path, errors, () -> exists(file, path));
  }

  private FSDataOutputStream put(Path file, String path) throws IOException {
    try {
      FSDataOutputStreamBuilder<?, ?> put = root.files().createFile(file);
      put.must(CONDITIONAL, true);
      return put.overwrite(true).build();
    } catch (IOException | IllegalArgumentException e) {
      throw errors.failed("create", path, e);
    }
  }

  private boolean exists(Path file, String path) throws IOException {
    try {
      root.files().getFileStatus(file);
      return true;
    } catch (FileNotFoundException e) {
      return false;
    } catch (IOException e) {
      throw errors.failed("look for", path, e);
    }
  }

  @Override
  public void publish(String from, String to) throws IOException {
    StorePath.requireSiblings(from, to);
    Path target = root.resolve(to);
    if (exists(target, to)) {
      throw errors.exists(to, null);
    }
    ByteBuffer bytes = read(from);
    inDoubt.add(from);
    try (StoreOutput out =
        new ConditionalOutput(put(target, to), to, errors, () -> exists(target, to))) {
      out.write(bytes.duplicate());
      out.sync();
    } catch (FileAlreadyExistsException e) {
      if (!bytes.equals(read(to))) {
        inDoubt.remove(from);
        throw e;
      }
      LOG.debug("the put of {} took effect, and its reply was lost", errors.at(to), e);
    }
    inDoubt.remove(from);
    objects.delete(from);
  }

  private ByteBuffer read(String path) throws IOException {
    try (StoreInput in = objects.open(path)) {
      if (in.length() > MOST_PUBLISHED_BYTES) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "cannot publish %s: its %d bytes exceed %d",
                errors.at(path),
                in.length(),
                MOST_PUBLISHED_BYTES));
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) in.length());
      in.readFully(0, bytes);
      return bytes.flip();
    }
  }

  @Override
  public StoreInput open(String path) throws IOException {
    return objects.open(path);
  }

  @Override
  public List<StoreEntry> list(String directory) throws IOException {
    return objects.list(directory);
  }

  /** Returns false for the source of a publication that is in doubt; it is deleted all the same. */
  @Override
  public boolean delete(String path) throws IOException {
    boolean removed = objects.delete(path);
    return !inDoubt.remove(path) && removed;
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    return objects.deleteDirectory(directory);
  }

  @Override
  public void close() throws IOException {
    objects.close();
  }
}

package io.cairn.flush.store;

import java.io.IOException;
import java.util.List;

/**
 * A directory of another store as a store of its own, with the same guarantees. The directory need
 * not exist: it is made with its first file, and is empty until then. Closing does not close the
 * other store. Thread-safe.
 */
public final class SubdirectoryStore implements CheckpointStore {
  private final CheckpointStore store;
  private final String directory;

  /**
   * A view of this directory.
   *
   * @throws IllegalArgumentException if it is no legal path below the root
   */
  public SubdirectoryStore(CheckpointStore store, String directory) {
    this.store = store;
    this.directory = StorePath.require(directory);
  }

  private String at(String path) {
    return directory + "/" + path; // the other store checks the whole path
  }

  @Override
  public String describe() {
    return store.describe() + "/" + directory;
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    return store.create(at(path));
  }

  @Override
  public void publish(String from, String to) throws IOException {
    store.publish(at(from), at(to));
  }

  @Override
  public boolean replace(String from, String to) throws IOException {
    return store.replace(at(from), at(to));
  }

  @Override
  public StoreInput open(String path) throws IOException {
    return store.open(at(path));
  }

  @Override
  public List<StoreEntry> list(String path) throws IOException {
    return store.list(path.equals(StorePath.ROOT) ? directory : at(path));
  }

  @Override
  public boolean delete(String path) throws IOException {
    return store.delete(at(path));
  }

  @Override
  public boolean deleteDirectory(String path) throws IOException {
    return store.deleteDirectory(at(path));
  }

  @Override
  public void close() {}
}
